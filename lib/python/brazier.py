# SPDX-License-Identifier: MIT
"""Reads, adds up, compares and draws profiles of any profiler, by libbrazier.

    import brazier

    profile = brazier.Profile("perf.data")
    profile.folded()                    # {"main;parse;read": 40, ...}
    profile.table()                     # [{"name": "read", "self": 40, "total": 40}, ...]
    profile.draw("flame.svg")           # a file; the ending chooses the output
    profile                             # in a notebook: the page

    brazier.compare("before.data", "after.data").table()
    brazier.fold("perf.data"), brazier.table("perf.data"), brazier.draw("perf.data", "flame.svg")

An input is the name of a file, bytes, an object with a method `read` that returns bytes, or a mapping of folded stacks to
counts; a list of them is one profile. Nothing is read before a method needs it, and each method reads the inputs again,
except objects with `read`, which are read once.

Settings are those of the command line (docs/cli.md, docs/components.md): `brazier.Profile("perf.data", weight="cycles",
group_by="thread", options={"svg.title": "Nightly"}, transforms=[("keep", "^main$")])`. What the program would print as an
error is raised as `brazier.Error`, and a warning is a `brazier.ProfileWarning`; `messages` has them and the notes.

The library is $BRAZIER_LIBRARY, that of the folder this file was installed to, or the system's. A session of the library
is opened for each run, so threads may use one profile at once.
"""
import base64
import ctypes
import glob
import html
import os
import pathlib
import re
import sys
import warnings
from collections.abc import Mapping
from decimal import Decimal

__all__ = ["Error", "Output", "Profile", "ProfileWarning", "compare", "draw", "fold", "guess", "table", "version"]


class Error(Exception):
    """A run failed. `messages` lists what brazier reported."""

    def __init__(self, text, messages=()):
        super().__init__(text)
        self.messages = list(messages)


class ProfileWarning(UserWarning):
    """Something is left out of a profile, or looks wrong."""


# ---- the library ----------------------------------------------------------------------------------

_OK, _PARTLY, _EXCEEDED = 0, 4, 5
_OUTPUT = 3
_SEVERITIES = ("error", "warning", "note", "debug")


class _Diagnostic(ctypes.Structure):
    """The beginning of brazier_diagnostic; the library fills in the rest."""
    _fields_ = [("struct_size", ctypes.c_uint32), ("severity", ctypes.c_int32), ("code", ctypes.c_char_p),
                ("component", ctypes.c_char_p), ("input", ctypes.c_char_p), ("line", ctypes.c_uint64),
                ("column", ctypes.c_uint64), ("count", ctypes.c_uint64)]


class _Component(ctypes.Structure):
    """The beginning of brazier_component."""
    _fields_ = [("struct_size", ctypes.c_uint32), ("kind", ctypes.c_uint32), ("kind_name", ctypes.c_char_p),
                ("id", ctypes.c_char_p), ("plugin", ctypes.c_char_p), ("version", ctypes.c_char_p),
                ("summary", ctypes.c_char_p), ("help", ctypes.c_char_p), ("path", ctypes.c_char_p),
                ("found_in", ctypes.c_char_p), ("shadowed", ctypes.c_int32), ("reserved", ctypes.c_uint32),
                ("endings", ctypes.POINTER(ctypes.c_char_p))]


class _Session(ctypes.Structure):
    """A brazier_session."""


class _Pipeline(ctypes.Structure):
    """A brazier_pipeline."""


_session, _pipeline, _text, _size = (ctypes.POINTER(_Session), ctypes.POINTER(_Pipeline), ctypes.c_char_p,
                                     ctypes.c_size_t)
_FUNCTIONS = {
    "version": (_text,),
    "session_open": (ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_session)),
    "session_close": (None, _session),
    "session_component": (ctypes.POINTER(_Component), _session, _size),
    "session_diagnostic": (ctypes.POINTER(_Diagnostic), _session, _size),
    "diagnostic_text": (_size, ctypes.POINTER(_Diagnostic), ctypes.c_int, ctypes.c_int, ctypes.c_char_p, _size),
    "guess_file": (_text, _session, _text, ctypes.POINTER(ctypes.c_int)),
    "guess_memory": (_text, _session, _text, _text, _size, ctypes.POINTER(ctypes.c_int)),
    "pipeline_create": (_pipeline, _session, ctypes.c_void_p),
    "pipeline_destroy": (None, _pipeline),
    "pipeline_add_input_file": (None, _pipeline, _text),
    "pipeline_add_input_memory": (None, _pipeline, _text, _text, _size),
    "pipeline_add_output_file": (None, _pipeline, _text, _text),
    "pipeline_add_output_memory": (_size, _pipeline, _text, _text),
    "pipeline_set": (ctypes.c_int, _pipeline, _text, _text, _text),
    "pipeline_add_transform": (None, _pipeline, _text, ctypes.POINTER(_text), _size, _text),
    "pipeline_run": (ctypes.c_int, _pipeline),
    "pipeline_output": (ctypes.c_void_p, _pipeline, _size, ctypes.POINTER(_size)),
}


def _candidates():
    """Yields names of the library: the one that the user names, that beside this file, that of the system."""
    if "BRAZIER_LIBRARY" in os.environ:
        yield os.environ["BRAZIER_LIBRARY"]
        return
    name = "libbrazier.0.dylib" if sys.platform == "darwin" else "libbrazier.so.0"
    prefix = pathlib.Path(__file__).resolve().parent.parent.parent.parent  # of share/brazier/python
    for pattern in (f"lib/{name}", f"lib64/{name}", f"lib/*-linux-*/{name}"):
        yield from sorted(glob.glob(str(prefix / pattern)))
    yield name


_library = None


def _load():
    """Returns the library, which is loaded when it is first needed."""
    global _library
    reason = None
    for name in _candidates() if _library is None else ():
        try:
            library = ctypes.CDLL(name)
        except OSError as e:
            reason = e
            continue
        for function, (result, *arguments) in _FUNCTIONS.items():
            f = getattr(library, f"brazier_{function}")
            f.restype, f.argtypes = result, arguments
        _library = library
        break
    if _library is None:
        raise ImportError(f"libbrazier cannot be loaded: {reason}; $BRAZIER_LIBRARY names its file")
    return _library


def version():
    """Returns the version of the library."""
    return _load().brazier_version().decode()


def _bytes(value):
    """Returns a setting or name as the library takes it."""
    if isinstance(value, bool):
        return b"true" if value else b"false"
    return os.fsencode(value) if isinstance(value, os.PathLike) else str(value).encode()


class _Run:
    """A session with a pipeline, closed at the end of a `with`."""

    def __enter__(self):
        self.library = _load()
        self.session = _session()
        self.pipeline = None
        self.kept = []  # what the library reads until the run has ended
        status = self.library.brazier_session_open(None, ctypes.byref(self.session))
        if status != _OK:
            self.fail()
        self.pipeline = self.library.brazier_pipeline_create(self.session, None)
        return self

    def __exit__(self, *_):
        if self.pipeline is not None:
            self.library.brazier_pipeline_destroy(self.pipeline)
        self.library.brazier_session_close(self.session)

    def messages(self):
        """Returns the diagnostics as (severity, code, text)."""
        found = []
        while d := self.library.brazier_session_diagnostic(self.session, len(found)):
            size = self.library.brazier_diagnostic_text(d, 1, 0, None, 0) + 1
            text = ctypes.create_string_buffer(size)
            self.library.brazier_diagnostic_text(d, 1, 0, text, size)
            severity = _SEVERITIES[min(max(d.contents.severity, 0), 3)]
            found.append((severity, (d.contents.code or b"").decode(), text.value.decode().rstrip("\n")))
        return found

    def fail(self):
        messages = self.messages()
        errors = [text.removeprefix("brazier: error: ") for severity, _, text in messages if severity == "error"]
        raise Error("\n".join(errors) or "brazier failed without a message", messages)

    def set(self, option, value):
        for one in value if isinstance(value, (list, tuple)) else [value]:
            text = None if one is None else _bytes(one)
            if self.library.brazier_pipeline_set(self.pipeline, option.encode(), text, None) != _OK:
                self.fail()

    def transform(self, name, *arguments):
        texts = [_bytes(a) for a in arguments]
        array = (ctypes.c_char_p * len(texts))(*texts)
        self.library.brazier_pipeline_add_transform(self.pipeline, name.encode(), array, len(texts), None)

    def read(self, name, data):
        if isinstance(data, bytes):
            self.kept.append(data)
            self.library.brazier_pipeline_add_input_memory(self.pipeline, name, data, len(data))
        else:
            self.library.brazier_pipeline_add_input_file(self.pipeline, os.fsencode(data))

    def endings(self):
        """Yields the outputs with the endings of files that choose them."""
        i = 0
        while c := self.library.brazier_session_component(self.session, i):
            i += 1
            k = 0
            while c.contents.kind == _OUTPUT and c.contents.endings and c.contents.endings[k] is not None:
                yield c.contents.id.decode(), c.contents.endings[k].decode()
                k += 1

    def run(self):
        status = self.library.brazier_pipeline_run(self.pipeline)
        if status not in (_OK, _PARTLY, _EXCEEDED):
            self.fail()

    def output(self, number):
        size = ctypes.c_size_t()
        data = self.library.brazier_pipeline_output(self.pipeline, number, ctypes.byref(size))
        return ctypes.string_at(data, size.value) if data else b""


# ---- inputs ---------------------------------------------------------------------------------------


def _folded_text(stacks):
    """Returns a mapping of stacks, which are texts or sequences of names, as folded text."""
    lines = []
    for stack, count in stacks.items():
        names = stack if isinstance(stack, str) else ";".join(name.replace(";", ":") for name in stack)
        lines.append(re.sub(r"[\r\n]", " ", names) + f" {count}\n")
    return "".join(lines).encode()


def _prepared(given):
    """Returns an input as (name, bytes or the name of a file, format or None)."""
    if isinstance(given, Mapping):
        return b"stacks", _folded_text(given), "folded"
    if isinstance(given, (bytes, bytearray, memoryview)):
        return b"bytes", bytes(given), None
    if hasattr(given, "read"):
        data = given.read()
        name = os.fsencode(given.name) if isinstance(getattr(given, "name", None), str) else b"stream"
        return name, data.encode() if isinstance(data, str) else bytes(data), None
    return None, os.fspath(given), None


def _listed(inputs):
    """Returns the inputs of one profile."""
    return [_prepared(i) for i in (inputs if isinstance(inputs, (list, tuple)) else [inputs])]


def guess(given):
    """Returns the name of the format of an input, such as "perf-data"."""
    name, data, known = _prepared(given)
    with _Run() as r:
        if name is None:
            found = r.library.brazier_guess_file(r.session, os.fsencode(data), None)
        else:
            found = r.library.brazier_guess_memory(r.session, name, data, len(data), None)
        if found is None and known is None:
            r.fail()
        return known or found.decode()


# ---- outputs --------------------------------------------------------------------------------------


class Output:
    """Holds what was drawn: `data`, its bytes, and `format`, such as "svg". A notebook shows pages and pictures in
    a frame of their own, whose scripts cannot reach the notebook."""

    def __init__(self, data, format, messages=()):
        self.data, self.format, self.messages = data, format, list(messages)

    def __bytes__(self):
        return self.data

    def __str__(self):
        return self.data.decode(errors="replace")

    def __repr__(self):
        return f"<brazier.Output {self.format}, {len(self.data)} bytes>"

    def save(self, path):
        """Writes the bytes to a file."""
        pathlib.Path(path).write_bytes(self.data)

    def _repr_html_(self):
        frame = '<iframe sandbox="allow-scripts allow-downloads" width="100%" height="600" style="border:0" '
        if self.format in ("html", "timeline"):
            return f'{frame}srcdoc="{html.escape(str(self))}"></iframe>'
        if self.format == "svg":
            data = base64.b64encode(self.data).decode()
            return f'{frame}src="data:image/svg+xml;base64,{data}"></iframe>'
        return f"<pre>{html.escape(str(self))}</pre>"

    def _repr_markdown_(self):
        return str(self) if self.format == "markdown" else None


def _number(text):
    """Returns a number of a table: an int, or a Decimal if it has decimals."""
    return Decimal(text) if "." in text else int(text)


def _table_rows(text, keys):
    """Reads the rows of the output table: numbers, then a name, which may have blanks."""
    _, _, rest = text.partition("\n\n")
    for line in rest.partition("\n\n")[0].rstrip("\n").split("\n")[1:]:
        words = re.match(r" *(-?[\d.]+)" + r" +(-?[\d.]+)" * (len(keys) - 2) + r"(?:  (.*))?$", line)
        if words is None:
            continue
        *numbers, name = words.groups()
        yield dict(zip(keys, [name or "", *map(_number, numbers)]))


# ---- profiles -------------------------------------------------------------------------------------


def _levels_to_caller():
    """Returns the level of the first frame outside of this file, for warnings that name the user's line."""
    level, frame = 1, sys._getframe(1)
    this_file = frame.f_code.co_filename
    while frame.f_back is not None and frame.f_code.co_filename == this_file:
        level, frame = level + 1, frame.f_back
    return level


class Profile:
    """A profile of one or several inputs: see the description of this module."""

    def __init__(self, inputs, *, format=None, options=None, transforms=(), _compares=False, **settings):
        self._inputs = _listed(inputs)
        self._settings = {name.replace("_", "-"): value for name, value in settings.items()}
        self._options = dict(options or {})
        self._transforms = [(t,) if isinstance(t, str) else tuple(t) for t in transforms]
        self._compares = _compares
        formats = {known for _, _, known in self._inputs}
        self._format = format or (formats.pop() if len(formats) == 1 else None)
        self.messages = []

    def __repr__(self):
        names = [os.fsdecode(data) if name is None else name.decode() for name, data, _ in self._inputs]
        return f"<brazier.Profile of {', '.join(names)}>"

    def _start(self, run, options):
        for name, data, _ in self._inputs:
            run.read(name, data)
        settings = {"from": self._format, "compare": True if self._compares else None, **self._settings, **self._options,
                    **options}
        for option, value in settings.items():
            if value is not None:
                run.set(option, value)
        for name, *arguments in self._transforms:
            run.transform(name, *arguments)

    def _finish(self, run):
        run.run()
        self.messages = run.messages()
        for severity, _, text in self.messages:
            if severity == "warning":
                warnings.warn(text, ProfileWarning, stacklevel=_levels_to_caller())

    def _written(self, to, options):
        with _Run() as run:
            self._start(run, options)
            number = run.library.brazier_pipeline_add_output_memory(run.pipeline, to.encode(), None)
            self._finish(run)
            return run.output(number)

    def draw(self, path=None, to=None, **options):
        """Writes an output. Without a path, returns it as an Output: a picture, unless `to` names another format. Options
        are those of the output: `title="Nightly"`."""
        if path is None:
            to = to or "svg"
            return Output(self._written(to, self._of_output(to, options)), to, self.messages)
        with _Run() as run:
            output = to or (self._output_of(run, path) if options else "svg")
            self._start(run, self._of_output(output, options))
            run.library.brazier_pipeline_add_output_file(run.pipeline, to and to.encode(), os.fsencode(path))
            self._finish(run)
        return None

    @staticmethod
    def _of_output(to, options):
        return {f"{to}.{name.replace('_', '-')}": value for name, value in options.items()}

    @staticmethod
    def _output_of(run, path):
        """Returns the output that the longest ending of a name chooses, for names of options."""
        name = os.path.basename(os.fsdecode(path))
        names = (name, re.sub(r"\.(gz|zst)$", "", name))
        found = [(len(ending), output) for output, ending in run.endings()
                 if any(n.endswith(f".{ending}") for n in names)]
        return max(found)[1] if found else "svg"

    def folded(self):
        """Returns {"main;parse;read": 40}."""
        found = {}
        for line in self._written("folded", {}).decode().split("\n")[:-1]:
            stack, _, count = line.rpartition(" ")
            found[stack] = _number(count)
        return found

    def stacks(self):
        """Returns the distinct stacks as a list of dicts: [{"stack": ("main", "read"), "value": 40}]."""
        return [{"stack": tuple(stack.split(";")), "value": count} for stack, count in self.folded().items()]

    def table(self, by="name", sort=None, limit=0):
        """Returns the functions, or with `by` the modules or files, as a list of dicts, the heaviest first. A comparison
        has `before`, `after` and `delta` of the weight that `sort` names: "self" or "total"."""
        sort = sort or "self"
        keys = ("name", "before", "after", "delta") if self._compares else ("name", "self", "total")
        shown = {"table.by": by, "table.sort": sort, "table.limit": limit, "table.unit": "plain", "table.width": 0,
                 "table.columns": ",".join(key for key in keys if key not in ("name", "delta")) + ",name"}
        rows = list(_table_rows(self._written("table", shown).decode(), [k for k in keys if k != "delta"]))
        for row in rows if self._compares else ():
            row["delta"] = row["after"] - row["before"]
        return rows

    def dataframe(self, **options):
        """Returns the table as a data frame of pandas."""
        import pandas  # only those who have it need it
        return pandas.DataFrame(self.table(**options))

    def page(self):
        """Returns the page, with all weights, as an Output."""
        return self.draw(to="html")

    def markdown(self, budget="4K"):
        """Returns a summary of at most `budget` bytes."""
        return str(self.draw(to="markdown", budget=budget))

    def _repr_html_(self):
        return self.page()._repr_html_()


def compare(before, after, **settings):
    """Returns a profile that compares two inputs. Its widths are those of `after`."""
    return Profile([before, after], _compares=True, **settings)


def fold(inputs, **settings):
    """Returns the folded stacks of a profile: {"main;parse;read": 40}."""
    return Profile(inputs, **settings).folded()


def table(inputs, by="name", sort=None, limit=0, **settings):
    """Returns the functions of a profile as a list of dicts."""
    return Profile(inputs, **settings).table(by, sort, limit)


def draw(inputs, path=None, to=None, **settings):
    """Draws a profile: see Profile.draw()."""
    return Profile(inputs, **settings).draw(path, to)
