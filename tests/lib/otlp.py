# SPDX-License-Identifier: MIT
"""Writes profiles of OpenTelemetry in the versions of their definition: as Protocol Buffers and as JSON."""
import json
import struct

from lib.pprof import field, message, varint

PROFILE, DATA, DICTIONARY, STACKS, USUAL = range(5)  # versions, as in plugins/collapse/otlp/schema.h

# Numbers of the tables, by version. Tables are parts of the profile, of the data or of a dictionary.
TABLES = {"mappingTable": (3, 2, 1, 1, 1), "locationTable": (4, 3, 2, 2, 2), "functionTable": (6, 4, 3, 3, 3),
          "linkTable": (9, 5, 4, 4, 4), "stringTable": (10, 6, 5, 5, 5), "attributeTable": (7, 7, 6, 6, 6),
          "stackTable": (0, 0, 0, 7, 7)}
PROFILES = {"locationIndices": (5, 3, 3, 0, 0), "time": (11, 4, 4, 3, 3), "duration": (12, 5, 5, 4, 4),
            "periodType": (13, 6, 6, 5, 5), "period": (14, 7, 7, 6, 6), "commentStrindices": (15, 8, 8, 7, 0),
            "defaultSampleTypeIndex": (0, 9, 9, 0, 0), "defaultSampleTypeStrindex": (16, 0, 0, 0, 0),
            "profileId": (17, 10, 10, 8, 7), "originalPayloadFormat": (20, 12, 12, 10, 9),
            "attributeIndices": (22, 14, 14, 12, 11)}
SAMPLES = {"stackIndex": (0, 0, 0, 1, 1), "locationsStartIndex": (1, 1, 1, 0, 0), "locationsLength": (2, 2, 2, 0, 0),
           "values": (3, 3, 3, 2, 4), "attributeIndices": (4, 4, 4, 3, 2), "linkIndex": (5, 5, 5, 4, 3),
           "timestampsUnixNano": (6, 6, 6, 5, 5)}


def fixed(number, value):
    """A field of 8 bytes."""
    return varint(number << 3 | 1) + struct.pack("<Q", value)


def any_value(value):
    if isinstance(value, bool):
        return message([(2, int(value))])
    if isinstance(value, int):
        return message([(3, value)])
    if isinstance(value, float):
        return varint(4 << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, list):
        return field(5, b"".join(field(1, any_value(v)) for v in value))
    return field(7, value) if isinstance(value, bytes) else field(1, value.encode())


def json_value(value):
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [json_value(v) for v in value]}}
    return {"bytesValue": value.decode()} if isinstance(value, bytes) else {"stringValue": value}


class Tables:
    """Collects entries. Position 0 of each table is empty in recent versions."""

    def __init__(self, empty=True):
        self.texts = [""]
        self.mappings, self.functions, self.locations, self.links = ([{}] if empty else [] for _ in range(4))
        self.attributes, self.stacks = [None] if empty else [], [[]] if empty else []

    def add(self, table, entry):
        if entry not in table:
            table.append(entry)
        return table.index(entry)

    def text(self, text):
        return self.add(self.texts, text)

    def attribute(self, key, value, unit=""):
        return self.add(self.attributes, (key, value, unit))

    def mapping(self, file, build_id=""):
        ids = [self.attribute("process.executable.build_id.gnu", build_id)] if build_id else []
        return self.add(self.mappings, {"file": self.text(file), "attributes": ids})

    def function(self, name, file="", line=0, system_name=None):
        return self.add(self.functions, {"name": self.text(name), "file": self.text(file), "line": line,
                                         "system": self.text(name if system_name is None else system_name)})

    def location(self, lines=(), mapping=None, address=0, attributes=()):
        """`lines` is [(function, line)], the innermost one first."""
        return self.add(self.locations, {"lines": list(lines), "mapping": mapping, "address": address,
                                         "attributes": list(attributes)})

    def stack(self, locations):
        return self.add(self.stacks, list(locations))

    def link(self, trace, span):
        return self.add(self.links, {"trace": trace, "span": span})

    def code(self, *names, **how):
        """The locations of functions of one line, leaf first."""
        return [self.location([(self.function(name, f"{name}.c", 10), 11)], **how) for name in names]

    # ---- as Protocol Buffers

    def attribute_bytes(self, attribute, version):
        if attribute is None:
            return b""
        key, value, unit = attribute
        if version < STACKS:
            return message([(1, key.encode()), (2, any_value(value))])
        return message([(1, self.text(key)), (2, any_value(value)), (3, self.text(unit))])

    def location_bytes(self, of, version):
        if not of:
            return b""
        lines = [(3, message([(1, function), (2, line)])) for function, line in of["lines"]]
        mapping = [(1, of["mapping"])] if of["mapping"] is not None else []
        attributes = [(5 if version < STACKS else 4, of["attributes"])] if of["attributes"] else []
        return message(mapping + [(2, of["address"])] + lines + attributes)

    def fields(self, version):
        number = {name: numbers[version] for name, numbers in TABLES.items()}
        entries = [("attributeTable", self.attribute_bytes(a, version)) for a in self.attributes]
        entries += [("mappingTable", message([(4, m["file"])] + [(5, m["attributes"])] * bool(m["attributes"])) if m else b"")
                    for m in self.mappings]
        entries += [("locationTable", self.location_bytes(x, version)) for x in self.locations]
        entries += [("functionTable", message([(1, f["name"]), (2, f["system"]), (3, f["file"]), (4, f["line"])]) if f
                     else b"") for f in self.functions]
        entries += [("linkTable", message([(1, x["trace"]), (2, x["span"])]) if x else b"") for x in self.links]
        if number["stackTable"]:
            entries += [("stackTable", message([(1, s)] if s else [])) for s in self.stacks]
        entries += [("stringTable", text.encode()) for text in self.texts]
        return b"".join(field(number[name], data) for name, data in entries)

    # ---- as JSON

    def json(self):
        return {"mappingTable": [{"filenameStrindex": m["file"], "attributeIndices": m["attributes"]} if m else {}
                                 for m in self.mappings],
                "locationTable": [{**({"mappingIndex": x["mapping"]} if x["mapping"] is not None else {}),
                                   "address": str(x["address"]), "attributeIndices": x["attributes"],
                                   "lines": [{"functionIndex": f, "line": str(n)} for f, n in x["lines"]]} if x else {}
                                  for x in self.locations],
                "functionTable": [{"nameStrindex": f["name"], "systemNameStrindex": f["system"],
                                   "filenameStrindex": f["file"], "startLine": str(f["line"])} if f else {}
                                  for f in self.functions],
                "linkTable": [{"traceId": x["trace"].hex(), "spanId": x["span"].hex()} if x else {} for x in self.links],
                "attributeTable": [{"keyStrindex": self.text(a[0]), "value": json_value(a[1]),
                                    "unitStrindex": self.text(a[2])} if a else {} for a in self.attributes],
                "stackTable": [{"locationIndices": s} if s else {} for s in self.stacks],
                "stringTable": self.texts}


class Profile:
    """A profile. `types` is [(name, unit)]; recent versions have one."""

    def __init__(self, tables, *types, **members):
        self.tables, self.types, self.members = tables, [tuple(map(tables.text, t)) for t in types], members
        self.samples, self.locations = [], []

    def sample(self, locations, values=(), times=(), attributes=(), link=0):
        tables = self.tables
        start = len(self.locations)
        self.locations += locations
        self.samples.append({"stackIndex": tables.stack(locations), "locationsStartIndex": start,
                             "locationsLength": len(locations), "values": list(values), "linkIndex": link,
                             "timestampsUnixNano": list(times),
                             "attributeIndices": [tables.attribute(*a) for a in attributes]})

    def sample_bytes(self, sample, version):
        out = b""
        for name, numbers in SAMPLES.items():
            number, value = numbers[version], sample[name]
            if not number or value in (0, []):
                continue
            if name == "timestampsUnixNano" and version >= STACKS:
                value = struct.pack(f"<{len(value)}Q", *value)
            out += message([(number, value)])
        return out

    def bytes(self, version):
        out = b"".join(field(1, message([(1, name), (2, unit)])) for name, unit in self.types)
        out += b"".join(field(2, self.sample_bytes(s, version)) for s in self.samples)
        members = dict(self.members)
        if version < STACKS:
            members["locationIndices"] = self.locations
        for name, value in members.items():
            number = PROFILES[name][version]
            if name == "periodType":
                value = message([(1, self.tables.text(value[0])), (2, self.tables.text(value[1]))])
            if name == "time" and version >= STACKS:
                out += fixed(number, value)
            elif isinstance(value, str):
                out += field(number, value.encode())
            elif number:
                out += message([(number, value)])
        return out + (self.tables.fields(version) if version == PROFILE else b"")

    def json(self):
        names = {"time": "timeUnixNano", "duration": "durationNano"}
        stated = {names.get(name, name): str(value) if isinstance(value, int) else value
                  for name, value in self.members.items() if name != "periodType"}
        keys = set(SAMPLES) - {"locationsStartIndex", "locationsLength"}
        samples = [{key: [str(n) for n in s[key]] if key in ("values", "timestampsUnixNano") else s[key]
                    for key in sorted(keys) if s[key] not in (0, [])} for s in self.samples]
        name, unit = self.types[0] if self.types else (0, 0)
        return {"sampleType": {"typeStrindex": name, "unitStrindex": unit}, "samples": samples, **stated}


class Data:
    """Profiles of resources: [(attributes, profiles)]."""

    def __init__(self, tables):
        self.tables, self.resources = tables, []

    def resource(self, attributes, *profiles):
        self.resources.append((attributes, profiles))

    def bytes(self, version=USUAL, dictionary_first=False):
        resources = b""
        for attributes, profiles in self.resources:
            resource = b"".join(field(1, message([(1, k.encode()), (2, any_value(v))])) for k, v in attributes.items())
            scope = field(1, message([(1, b"a scope")])) + b"".join(field(2, p.bytes(version)) for p in profiles)
            resources += field(1, field(1, resource) + field(2, scope))
        tables = self.tables.fields(version) if version == DATA else b""
        if version >= DICTIONARY:
            tables = field(2, self.tables.fields(version))
        return tables + resources if dictionary_first else resources + tables

    def json(self):
        resources = [{"resource": {"attributes": [{"key": k, "value": json_value(v)} for k, v in attributes.items()]},
                      "scopeProfiles": [{"scope": {"name": "a scope"}, "profiles": [p.json() for p in profiles]}]}
                     for attributes, profiles in self.resources]
        return {"resourceProfiles": resources, "dictionary": self.tables.json()}

    def text(self, **how):
        return json.dumps(self.json(), **how).encode() + b"\n"
