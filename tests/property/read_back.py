# SPDX-License-Identifier: MIT
"""Reads outputs back exactly: [{stack: value}], with an item for each weight.

A reader knows its format but nothing of brazier. A stack is a tuple of names, root first; a value
is a Fraction of the weight's unit. Formats that contain functions rather than stacks give [{name:
(self, total)}].
"""
import csv
import functools
import gzip
import io
import json
import re
from collections import defaultdict
from fractions import Fraction


@functools.lru_cache(100_000)
def number(text):
    """Returns the value of a number; most numbers come many times, and reading one takes long."""
    return Fraction(text)


def parse(text):
    return json.loads(text, parse_float=number, parse_int=number)


def read_json(data):
    found = defaultdict(Fraction)
    todo = [((), parse(data))]
    while todo:
        stack, node = todo.pop()
        children = node.get("children", [])
        found[stack] += node["value"] - sum(c["value"] for c in children)
        todo += [((*stack, c["name"]), c) for c in children]
    return [found]


def rows_of_jsonl(data):
    return [parse(line) for line in data.splitlines()]


def rows_of_csv(data):
    """Returns a row as a JSON object would have it: without absent columns."""
    rows = csv.DictReader(io.StringIO(data.decode(), newline=""), strict=True)
    return [{**{k: v for k, v in row.items() if v != ""}, "stack": row["stack"].split(";")} for row in rows]


def read_rows(rows, weights):
    """Reads a table with a row per stack."""
    found = [defaultdict(Fraction) for _ in weights]
    for row in rows:
        assert set(row) == {"stack", *weights}, row
        for weight, name in zip(found, weights):
            assert tuple(row["stack"]) not in weight, row
            weight[tuple(row["stack"])] = Fraction(row[name])
    return found


def read_speedscope(data):
    file = parse(data)
    names = [f["name"] for f in file["shared"]["frames"]]
    weights = []
    for profile in file["profiles"]:
        found = defaultdict(Fraction)
        for sample, weight in zip(profile["samples"], profile["weights"], strict=True):
            found[tuple(names[int(i)] for i in sample)] += weight
        assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]
        weights.append(found)
    return weights


def html_data(data):
    """Returns the JSON data in a page of the output html."""
    start = data.index(b'id="profile">') + len(b'id="profile">')
    return json.loads(data[start:data.index(b"</script>", start)])


HTML_DIGITS = {chr(code): i for i, code in enumerate(c for c in range(32, 127) if chr(c) not in '"&<>\\')}
HTML_LAST_DIGITS = 58


def html_column(text):
    numbers, value, shift = [], 0, 0
    for digit in map(HTML_DIGITS.__getitem__, text):
        if digit >= HTML_LAST_DIGITS:
            value += (digit - HTML_LAST_DIGITS) << shift
            shift += 5
            continue
        numbers.append(value + (digit << shift))
        value = shift = 0
    assert shift == 0
    return numbers


def read_html(data):
    page = html_data(data)
    names = [page["texts"][i] for i in html_column(page["frames"]["name"])]
    stacks, stack = [()], ()
    frames, ups = html_column(page["calls"]["frame"]), html_column(page["calls"]["up"])
    for frame, up in zip(frames, ups, strict=True):
        stack = (*stack[:len(stack) - up], names[frame])
        stacks.append(stack)
    weights = []
    none = [0] * len(page["weights"])
    for about, selves, losses in zip(page["weights"], page["selves"], page.get("losses", none), strict=True):
        found = defaultdict(Fraction)
        lost = html_column(losses) if losses else [0] * len(stacks)
        for s, size, loss in zip(stacks, html_column(selves), lost, strict=True):
            found[s] += Fraction(size - 2 * loss, 10 ** about["decimals"])
        weights.append(found)
    return weights


def read_chrome_trace(data):
    """Reads trace events, which nest by time alone."""
    events = parse(data)["traceEvents"]
    threads = [e["tid"] for e in events if e["name"] == "thread_name"]
    weights = []
    for thread in threads:
        found, open_calls, last = defaultdict(Fraction), [], Fraction(0)
        for e in (e for e in events if e["ph"] == "X" and e["tid"] == thread):
            assert e["ts"] >= last
            last = e["ts"]
            while open_calls and open_calls[-1][1] <= e["ts"]:
                open_calls.pop()
            stack = (*(open_calls[-1][0] if open_calls else ()), e["name"])
            end = e["ts"] + e["dur"]
            if open_calls:
                assert end <= open_calls[-1][1]
                found[open_calls[-1][0]] -= e["dur"]
            found[stack] += e["dur"]
            open_calls.append((stack, end))
        weights.append(found)
    return weights


def read_cpuprofile(data):
    file = parse(data)
    nodes = {n["id"]: n for n in file["nodes"]}
    callers = {c: n["id"] for n in file["nodes"] for c in n.get("children", [])}
    assert len(callers) == len(nodes) - 1
    stacks = {}
    for node in file["nodes"]:
        caller = callers.get(node["id"])
        name = node["callFrame"]["functionName"]
        stacks[node["id"]] = () if caller is None else (*stacks[caller], name)
    found, now = defaultdict(Fraction), file["startTime"] + file["timeDeltas"][0]
    assert len(file["samples"]) == len(file["timeDeltas"])
    for sample, length in zip(file["samples"], file["timeDeltas"][1:]):
        found[stacks[sample]] += length
        now += length
    assert now == file["endTime"]
    return [found]


def read_firefox(data):
    file = parse(data)
    shared = file["shared"]
    for table in shared.values():
        if isinstance(table, dict):
            assert {len(v) for k, v in table.items() if k != "length"} == {int(table["length"])}
    functions, frames = shared["funcTable"], shared["frameTable"]
    stacks = []
    for frame, offset in zip(shared["stackTable"]["frame"], shared["stackTable"]["prefixOffset"]):
        function = int(frames["func"][int(frame)])
        name = shared["stringArray"][int(functions["name"][function])]
        stacks.append((*(stacks[-int(offset)] if offset else ()), name))
    weights = []
    for thread in file["threads"]:
        samples, found = thread["samples"], defaultdict(Fraction)
        assert len(samples["stack"]) == len(samples["weight"]) == len(samples["time"])
        for stack, weight in zip(samples["stack"], samples["weight"]):
            found[() if stack is None else stacks[int(stack)]] += weight
        weights.append(found)
    return weights


# ---- protobuf -------------------------------------------------------------------------------------


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """Decodes a message into [(number, value)]; a value is an int or bytes."""
    at, found = 0, []
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        else:
            assert key & 7 == 0
        found.append((key >> 3, value))
    return found


def numbers(message, number):
    """Returns the values of a repeated field, packed or not."""
    found = []
    for key, value in message:
        if key == number and isinstance(value, int):
            found.append(value)
        elif key == number:
            at = 0
            while at < len(value):
                n, at = varint(value, at)
                found.append(n)
    return found


def one(message, number):
    return (numbers(message, number) or [0])[-1]


def signed(n):
    return n - (1 << 64) if n >> 63 else n


def read_pprof(data):
    """Reads a pprof profile: weights in file order, types as [(name, unit)]."""
    file = fields(gzip.decompress(data))
    parts = {n: [fields(v) for k, v in file if k == n] for n in (1, 2, 3, 4, 5)}
    texts = [v.decode() for k, v in file if k == 6]
    assert texts[0] == "" and len(set(texts)) == len(texts)
    functions = {one(f, 1): texts[one(f, 2)] for f in parts[5]}
    locations = {}
    for place in parts[4]:
        lines = [fields(v) for k, v in place if k == 4]
        locations[one(place, 1)] = [functions[one(line, 1)] for line in lines]
    assert 0 not in functions and 0 not in locations
    assert all(one(m, 1) > 0 for m in parts[3])
    types = [(texts[one(t, 1)], texts[one(t, 2)]) for t in parts[1]]
    weights = [defaultdict(Fraction) for _ in types]
    for sample in parts[2]:
        names = [n for at in numbers(sample, 1) for n in locations[at]]
        values = [signed(v) for v in numbers(sample, 2)]
        for weight, value in zip(weights, values, strict=True):
            weight[tuple(reversed(names))] += value
    return types, weights


# ---- functions ------------------------------------------------------------------------------------


def code_spans(text):
    """Returns the texts of the code spans of a line, by the rules of CommonMark."""
    spans = []
    for span in re.finditer(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", text):
        inside = span[2]
        is_padded = inside.startswith(" ") and inside.endswith(" ") and inside.strip(" ") != ""
        spans.append(inside[1:-1] if is_padded else inside)
    return spans


def read_markdown(data):
    """Reads the table of functions of a summary: {name: (self, total)}, without names that are cut."""
    found = {}
    for line in data.decode().partition("**Heaviest paths**")[0].splitlines():
        numbers = re.match(r"\| (-?[0-9,.]+) \| \S+ \| (-?[0-9,.]+) \| \S+ \| ", line)
        if numbers:
            (name,) = code_spans(line[numbers.end():])
            found[name.replace("\\|", "|")] = tuple(Fraction(n.replace(",", "")) for n in numbers.groups())
    return {name: weights for name, weights in found.items() if "\u2026" not in name}


def read_callgrind(data):
    """Reads a callgrind file: ([event], {name: [self, …]}, {(caller, callee): [total, …]})."""
    known, own, calls = {}, defaultdict(list), {}
    events, where, callee, totals = [], None, None, {}

    def text(word):
        number, _, name = word.partition(" ")
        if name or number not in known:
            known[number] = name
        return known[number]

    def add(old, values):
        return [a + b for a, b in zip(old or [0] * len(values), values)]

    for line in data.decode().splitlines():
        if line.startswith("events: "):
            events = line.split()[1:]
        elif line.startswith(("summary:", "totals:")):
            key, *values = line.split()
            totals[key] = [int(v) for v in values]
        elif line.startswith("fn="):
            where = text(line[3:])
        elif line.startswith("cfn="):
            callee = text(line[4:])
        elif re.match(r"\d", line):
            values = [int(v) for v in line.split()[1:]]
            if callee is None:
                own[where] = add(own[where], values)
            else:
                calls[where, callee] = add(calls.get((where, callee)), values)
            callee = None
    sums = [sum(v[i] for v in own.values() if v) for i in range(len(events))]
    assert totals == {"summary:": sums, "totals:": sums}
    return events, own, calls


def read_table(data):
    """Reads tables with the columns self, total, name: [{name: (self, total)}]."""
    weights = []
    for line in data.decode().splitlines():
        if re.match(r" *SELF  ", line):
            weights.append({})
        row = re.match(r" *(-?[\d.]+) +(-?[\d.]+)  ?(.*)$", line)
        if row and weights:
            weights[-1][row[3]] = Fraction(row[1]), Fraction(row[2])
    return weights


# ---- labels ---------------------------------------------------------------------------------------
#
# These readers return a list of {labels: {stack: value}}, with an item for each weight. Labels are the
# texts "key=value" or "key=number unit", sorted.


def text_of_label(key, value):
    if isinstance(value, dict):
        return f"{key}={value['value']} {value['unit']}"
    return f"{key}={value}"


def label_set(members):
    """Returns the labels that an object describes."""
    return tuple(sorted(text_of_label(key, v) for key, value in members.items()
                        for v in (value if isinstance(value, list) else [value])))


def by_labels():
    return defaultdict(lambda: defaultdict(Fraction))


def labelled_json(data):
    root = parse(data)
    sets = [label_set(members) for members in root.get("labels", [{}])]
    found, todo = by_labels(), [((), root)]
    while todo:
        stack, node = todo.pop()
        children = node.get("children", [])
        own = node["value"] - sum(c["value"] for c in children)
        parts = node.get("samples", [[0, own]] if len(sets) == 1 else [])
        assert sum(value for _, value in parts) == own, node
        for number, value in parts:
            found[sets[int(number)]][stack] += value
        todo += [((*stack, c["name"]), c) for c in children]
    return [found]


def labelled_rows(rows, weights):
    """Reads a table with a row per sample."""
    found = [by_labels() for _ in weights]
    for row in rows:
        labels = row.get("labels", {})
        labels = tuple(sorted(labels.split(", "))) if isinstance(labels, str) else label_set(labels)
        for weight, name in zip(found, weights):
            weight[labels][tuple(row["stack"])] += Fraction(row[name])
    return found


def samples_of_speedscope(profile):
    """Yields the samples of a profile: stack, value."""
    if profile["type"] == "sampled":
        yield from zip(profile["samples"], profile["weights"], strict=True)
        assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]
        return
    open_frames, last = [], profile["startValue"]
    for event in profile["events"]:
        if open_frames:
            yield list(open_frames), event["at"] - last
        last = event["at"]
        if event["type"] == "O":
            open_frames.append(event["frame"])
        else:
            assert open_frames.pop() == event["frame"]
    assert not open_frames


def labelled_speedscope(data, weights):
    file = parse(data)
    names = [f["name"] for f in file["shared"]["frames"]]
    found = {weight: by_labels() for weight in weights}
    for profile in file["profiles"]:
        origin = profile.get("brazier", {"weight": profile["name"]})
        labels = label_set(origin.get("labels", {}))
        for sample, value in samples_of_speedscope(profile):
            found[origin["weight"]][labels][tuple(names[int(i)] for i in sample)] += value
    return list(found.values())


def labelled_firefox(data, weights):
    """Samples have the labels of the markers within which they are."""
    file = parse(data)
    shared, stacks = file["shared"], []
    functions, frames, texts = shared["funcTable"], shared["frameTable"], shared["stringArray"]
    for frame, offset in zip(shared["stackTable"]["frame"], shared["stackTable"]["prefixOffset"]):
        name = texts[int(functions["name"][int(frames["func"][int(frame)])])]
        stacks.append((*(stacks[-int(offset)] if offset else ()), name))
    found = {weight: by_labels() for weight in weights}
    for thread in file["threads"]:
        markers, samples = thread["markers"], thread["samples"]
        assert {len(v) for k, v in markers.items() if k != "length"} == {int(markers["length"])}
        ranges = [(start, end, texts[int(data["label"])]) for start, end, data in
                  zip(markers["startTime"], markers["endTime"], markers["data"])]
        for name, data in zip(markers["name"], markers["data"]):
            assert data["type"] == "label" and texts[int(data["label"])].startswith(texts[int(name)] + "=")
        weight = found[thread.get("brazier", {"weight": thread["name"]})["weight"]]
        for stack, value, time in zip(samples["stack"], samples["weight"], samples["time"]):
            labels = tuple(sorted(text for start, end, text in ranges if start <= time < end))
            weight[labels][() if stack is None else stacks[int(stack)]] += value
    return list(found.values())


def labelled_chrome_trace(data, weights):
    """Samples have the labels of their outermost call."""
    events = parse(data)["traceEvents"]
    of_thread = {(e["pid"], e["tid"]): e["args"]["weight"] for e in events
                 if e["ph"] == "M" and e["name"] == "brazier"}
    found = {weight: by_labels() for weight in weights}
    open_calls, last = defaultdict(list), {}
    for e in events:
        if e["ph"] == "M":
            continue
        assert e["ph"] in "BE"
        thread = e["pid"], e["tid"]
        calls = open_calls[thread]
        if calls:
            stack = tuple(call["name"] for call in calls)
            labels = label_set(calls[0].get("args", {}).get("labels", {}))
            found[of_thread[thread]][labels][stack] += e["ts"] - last[thread]
        last[thread] = e["ts"]
        if e["ph"] == "B":
            calls.append(e)
            assert len(calls) == 1 or "labels" not in e.get("args", {})
        else:
            calls.pop()
    assert not any(open_calls.values())
    return list(found.values())
