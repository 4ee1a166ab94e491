"""Swift types for the schemas of the document."""

from names import camel_case, escaped, inner_type, lower_first, type_of, upper_first
from swift_text import HEADER, documentation, literal

# Members of requests for which `null` has an effect of its own, so that it differs from an absent member.
CLEARED_BY_NULL = {
    ("ProfileChange", "profilePicUrl"), ("PostEdit", "title"), ("PostEdit", "link"), ("PostEdit", "thumbnailUrl"),
}


class Member:
    """A stored property of a type."""

    def __init__(self, name, type_name, optional, text):
        self.name, self.swift_name = name, camel_case(name)
        self.type_name, self.optional, self.text = type_name, optional, text

    @property
    def declared_type(self):
        return self.type_name + ("?" if self.optional else "")


class Structure:
    """A type for an object."""

    def __init__(self, name, text):
        self.name, self.text, self.members = name, text, []

    def shape(self):
        return [(one.name, one.declared_type) for one in self.members]

    def swift(self):
        out = documentation(self.text) if self.text else ""
        out += f"public struct {self.name}: Codable, Hashable, Sendable {{\n"
        for member in self.members:
            out += documentation(member.text, 4) if member.text else ""
            out += f"    public var {escaped(member.swift_name)}: {member.declared_type}\n"
        return out + self.initializer() + self.coding_keys() + "}\n"

    def initializer(self):
        ordered = [one for one in self.members if not one.optional] + [one for one in self.members if one.optional]
        parameters = ", ".join(
            f"{one.swift_name}: {one.declared_type}" + (" = nil" if one.optional else "") for one in ordered
        )
        out = f"\n    public init({parameters}) {{\n"
        for one in self.members:
            out += f"        self.{one.swift_name} = {escaped(one.swift_name)}\n"
        return out + "    }\n"

    def coding_keys(self):
        if all(one.name == one.swift_name for one in self.members):
            return ""
        out = "\n    private enum CodingKeys: String, CodingKey {\n"
        for one in self.members:
            raw = "" if one.name == one.swift_name else f" = {literal(one.name)}"
            out += f"        case {escaped(one.swift_name)}{raw}\n"
        return out + "    }\n"


class Enumeration:
    """A type for a string of which some values are known. Later servers may send others."""

    def __init__(self, name, text, values):
        self.name, self.text, self.values = name, text, values

    def shape(self):
        return self.values

    def swift(self):
        out = documentation(self.text or "One of the known values, or one that a later server has added.")
        out += f"public struct {self.name}: OpenEnumeration {{\n    public let rawValue: String\n\n"
        out += "    public init(rawValue: String) { self.rawValue = rawValue }\n\n"
        for value in self.values:
            out += f"    public static let {escaped(camel_case(value))} = Self(rawValue: {literal(value)})\n"
        names = ", ".join("." + camel_case(value) for value in self.values)
        out += "\n    /// The values that this version of the client knows.\n"
        return out + f"    public static let known: [Self] = [{names}]\n}}\n"


class Types:
    """All types, each with the tag of the operation that uses it first."""

    def __init__(self, document):
        self.document, self.named, self.tags, self.tag = document, {}, {}, None
        self.components = {}

    def add(self, definition):
        known = self.named.setdefault(definition.name, definition)
        if known.shape() != definition.shape():
            raise ValueError(f"two types are named {definition.name}")
        self.tags.setdefault(definition.name, self.tag)

    def of(self, schema, name):
        """The Swift type of a schema, and whether it may be null. A type of its own gets the name."""
        text = schema.get("description", "")
        if "$ref" in schema:
            component = schema["$ref"].rsplit("/", 1)[1]
            return self.of_component(component)
        alternatives = schema.get("oneOf") or schema.get("anyOf")
        if alternatives:
            return self.of_union(alternatives, name, text)
        kinds = schema.get("type", "object")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        nullable = "null" in kinds
        kind = next((one for one in kinds if one != "null"), None)
        if kind is None:
            return "JSONValue", True
        return self.of_kind(kind, schema, name), nullable

    def of_component(self, component):
        if component not in self.components:
            self.components[component] = self.of(self.document.schemas[component], type_of(component))
        return self.components[component]

    def of_kind(self, kind, schema, name):
        if kind == "string":
            return self.of_string(schema, name)
        if kind == "array":
            element, optional = self.of(schema.get("items", {"type": "object"}), name)
            return f"[{element}{'?' if optional else ''}]"
        if kind == "object":
            return self.of_object(schema, name)
        return {"integer": "Int", "number": "Double", "boolean": "Bool"}[kind]

    def of_string(self, schema, name):
        values = [one for one in schema.get("enum", []) if one is not None]
        if len(values) > 0:
            self.add(Enumeration(name, schema.get("description", ""), values))
            return name
        if schema.get("format") == "date-time":
            return "Date"
        return "UploadFile" if schema.get("format") == "binary" else "String"

    def of_object(self, schema, name):
        if "properties" in schema:
            required = set(schema.get("required", []))
            self.add_structure(name, schema.get("description", ""), schema["properties"], required)
            return name
        values = schema.get("additionalProperties")
        if not isinstance(values, dict):
            return "[String: JSONValue]"
        element, optional = self.of(values, name + "Value")
        return f"[String: {element}{'?' if optional else ''}]"

    def of_union(self, alternatives, name, text):
        present = [one for one in alternatives if one.get("type") != "null"]
        nullable = len(present) < len(alternatives)
        if len(present) == 1:
            swift, inner = self.of(present[0] | ({"description": text} if text and "$ref" not in present[0] else {}), name)
            return swift, nullable or inner
        resolved = [self.document.resolved(one) for one in present]
        kinds = {one.get("type") for one in resolved}
        if kinds == {"object"} and all("properties" in one for one in resolved):
            return self.merged(resolved, name, text), nullable
        if kinds == {"string"} and not any("enum" in one for one in resolved):
            return "String", nullable
        return "JSONValue", nullable

    def merged(self, alternatives, name, text):
        """One type with the members of all alternatives. A member that one of them lacks is optional."""
        members = {}
        for one in alternatives:
            members.update(one["properties"])
        required = set.intersection(*[set(one.get("required", [])) & set(one["properties"]) for one in alternatives])
        self.add_structure(name, text, members, required)
        return name

    def add_structure(self, name, text, properties, required):
        structure = Structure(name, text)
        for member, schema in properties.items():
            swift, nullable = self.of(schema, inner_type(name, member))
            if (name, member) in CLEARED_BY_NULL:
                swift = f"Change<{swift}>"
            comment = schema.get("description", "")
            structure.members.append(Member(member, swift, nullable or member not in required, comment))
        self.add(structure)


def write_types(types):
    """The files, by path."""
    files = {}
    for name, definition in types.named.items():
        files.setdefault(types.tags[name], []).append(definition)
    out = {}
    for tag, definitions in files.items():
        text = HEADER + "\nimport Foundation\n"
        for definition in sorted(definitions, key=lambda one: one.name):
            text += "\n" + definition.swift()
        out[f"Types/{upper_first(tag)}Types.swift"] = text
    return out
