# SPDX-License-Identifier: MIT
"""Lists the programs of docs/gallery-languages.md: how each is recorded, and what its picture shows.

gallery_record.py runs the commands, gallery.py draws the pictures and writes the page.
"""
import dataclasses
import pathlib

FOLDER = pathlib.Path(__file__).parent / "gallery"
PROGRAMS = FOLDER / "programs"
RECORDINGS = FOLDER / "recordings"


@dataclasses.dataclass(frozen=True)
class Language:
    id: str
    name: str
    source: str      # in gallery/programs
    task: str        # what the program does
    commands: tuple
    recording: str   # file that the commands write
    shows: str
    console: str = ""  # file for what a terminal shows of the commands, for gallery_terminal.py

    @property
    def kept(self):
        """Returns the recording in the repository."""
        name = pathlib.PurePath(self.recording).name
        return RECORDINGS / (name if name.endswith((".pprof", ".gz")) else f"{name}.gz")


LANGUAGES = (
    Language(
        "go", "Go", "index.go", "builds an inverted index of 20,000 texts and answers 1,000 queries",
        ("go build -trimpath index.go",
         "./index -cpuprofile index.pprof",
         "brazier run index.pprof -o go.svg"),
        "index.pprof",
        "More than half of the time goes to maps: adding to the index fills one for each text and one for all, and each search "
        "one with its scores. The package `index` is the program itself: it holds the runtime's routines in "
        "assembler, such as `aeshashbody`, whose names have no package."),
    Language(
        "rust", "Rust", "weather/src/json.rs", "parses a year of weather reports in JSON",
        ("cd weather",
         "cargo brazier -F 199 -o weather.pb.gz",
         "brazier run weather.pb.gz -o rust.svg"),
        "weather/weather.pb.gz",
        "Filling and searching hash maps, one for each report, takes two fifths of the time, and `drop_in_place`, "
        "which frees everything again, a quarter; `string` grows its text letter by letter. Inlined functions have frames, since the package "
        "sets `debug = true`."),
    Language(
        "cpp", "C++", "ray.cpp", "traces the rays of a picture with three spheres",
        ("g++ -O2 -g -o ray ray.cpp",
         "brazier record -o flame.svg -o ray.pb.gz -- ./ray >ray.ppm"),
        "ray.pb.gz",
        "`Scene::trace` calls itself for each mirrored ray, so that its towers repeat at a smaller scale, and more than half of "
        "the time goes to `Scene::nearest`. The operators of `Vector` have frames although the compiler inlined them, "
        "thanks to `-g`; the towers at both ends are the kernel's: writes of the picture, page faults of the growing vector.",
        console="ray.console"),
    Language(
        "java", "Java", "Orders.java", "reads three million orders and adds them up by country",
        ("javac Orders.java",
         "java -XX:StartFlightRecording=filename=orders.jfr,settings=profile Orders",
         "brazier run orders.jfr -o java.svg -o orders.json"),
        "orders.json",
        "Sorting all orders to find the ten largest takes half of the time, most of it in comparators. "
        "`Orders.load`, which formats the names of customers who are not in the cache, takes more than half of "
        "`Orders.parse`."),
    Language(
        "node", "Node.js", "markdown.js", "renders Markdown as HTML, forty times",
        ("node --cpu-prof --cpu-prof-name=markdown.cpuprofile markdown.js",
         "brazier run markdown.cpuprofile -o node.svg"),
        "markdown.cpuprofile",
        "Tables take two fifths of the time, since each cell is rendered by itself, and the garbage collector a fifth. "
        "Regular expressions have no file and so no package; `/tmp/programs` is the folder of the script."),
    Language(
        "python", "Python", "access.py", "reads 60,000 lines of a web server's log",
        ("python3 -m cProfile -o access.pstats access.py",
         "brazier run access.pstats -o python.svg"),
        "access.pstats",
        "`strptime` takes nearly half of the time, more than the regular expression and JSON together. cProfile "
        "records calls, not stacks, so that brazier estimates the stacks of functions with several callers, and it "
        "slows down short functions more than long ones."),
)
