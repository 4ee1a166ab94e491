"""Swift methods for the operations of the document, in a group for each tag."""

import copy
import re

from names import all_items, camel_case, escaped, group_type, lower_first, method_of, operation_type, upper_first
from swift_text import HEADER, documentation, literal

# Pages for people, which an app does not read.
PAGES = ("text/html",)
# Codes that every operation may answer with.
COMMON = {
    "invalid_json", "unknown_field", "duplicate_field", "missing_field", "invalid_type", "unknown_parameter",
    "repeated_parameter", "invalid_parameter", "token_missing", "token_invalid", "token_expired", "rate_limited",
    "internal", "busy", "unavailable", "storage_full", "read_only", "not_current",
}
# Parameters that the client sets by itself.
OWN_HEADERS = {"X-Request-Id", "If-None-Match", "Range", "If-Range"}
# A session's refresh token is good for one request.
NEVER_REPEATED = {"refresh"}


# Texts that fit a method better than those of the document.
TEXTS = {
    "Idempotency-Key": "A name for this act, so that a request with the same key has no second effect. Without one, the "
    "client draws a key for the call and its repetitions.",
    "cursor": "The `nextCursor` of the page before. Omit it for the first page.",
}
LABELS = {"productUserId": "userId", "productVideoId": "videoId", "productCollectionId": "collectionId", "q": "query"}


class Argument:
    """A parameter of a Swift method."""

    def __init__(self, label, type_name, optional, text, wire=None, place="body"):
        self.label, self.type_name, self.optional = label, type_name, optional
        self.text = TEXTS.get(wire, text.replace(" A malformed id is answered with 404.", ""))
        self.wire, self.place = wire, place

    @property
    def name(self):
        return self.label.split()[-1]

    @property
    def value(self):
        return escaped(self.name)

    def declaration(self):
        return f"{self.label}: {self.type_name}" + ("? = nil" if self.optional else "")


class Method:
    """A method for one operation."""

    def __init__(self, operation, types, codes):
        self.operation, self.types, self.codes = operation, types, codes
        self.name = method_of(operation)
        self.result = self.result_type()
        self.arguments = self.all_arguments()

    # The answer.

    def result_type(self):
        """The Swift type of the answer, or None."""
        found, empty = [], False
        for one in self.operation.successes.values():
            content = one.get("content", {})
            if not content:
                empty = True
            elif "application/json" in content:
                name = operation_type(self.operation, "Answer")
                swift, optional = self.types.of(content["application/json"]["schema"], name)
                found.append(swift + ("?" if optional else ""))
            else:
                found.append(self.other_result(content))
        if not found:
            return None
        return found[0] + ("?" if empty else "")

    @staticmethod
    def other_result(content):
        if "text/event-stream" in content:
            return "EventStream"
        is_text = all(kind.startswith("text/") or kind.endswith("/yaml") for kind in content)
        return "String" if is_text else "BodyStream"

    @property
    def is_paged(self):
        definition = self.types.named.get(self.result)
        members = {one.name: one for one in getattr(definition, "members", [])}
        return {"items", "nextCursor"} <= members.keys() and any(one.wire == "cursor" for one in self.arguments)

    @property
    def element(self):
        members = {one.name: one for one in self.types.named[self.result].members}
        return members["items"].type_name.removeprefix("[").removesuffix("]")

    # The request.

    def all_arguments(self):
        parameters = [self.parameter(one) for one in self.operation.parameters if one["name"] not in OWN_HEADERS]
        if len(self.operation.content_types()) > 1 and self.result not in ("BodyStream", None):
            parameters = [one for one in parameters if one.wire != "format"]
        path = [one for one in parameters if one.place == "path"]
        rest = [one for one in parameters if one.place != "path"]
        required = [one for one in rest if not one.optional]
        key = [one for one in rest if one.wire == "Idempotency-Key"]
        return path + self.body_arguments() + required + [one for one in rest if one.optional and one not in key] + key

    def parameter(self, parameter):
        name = parameter["name"]
        if name == "attributes":
            return Argument("attributes", "[String: String]", True, parameter.get("description", ""), name, "attributes")
        component = parameter["component"] or ""
        label = lower_first(component) if name == "id" and component else camel_case(name)
        label = LABELS.get(label, label)
        type_name, _ = self.types.of(parameter["schema"], self.inner(name))
        return Argument(
            label, type_name, not parameter.get("required", False), parameter.get("description", ""), name, parameter["in"]
        )

    def inner(self, name):
        return operation_type(self.operation, name)

    def body_arguments(self):
        body = self.operation.body
        if body is None:
            return []
        if "multipart/form-data" in body["content"]:
            return self.form_arguments(body["content"]["multipart/form-data"]["schema"])
        schema = body["content"]["application/json"]["schema"]
        type_name, _ = self.types.of(schema, operation_type(self.operation, "Request"))
        return [Argument("_ body", type_name, not body.get("required", False), body.get("description", ""))]

    def form_arguments(self, schema):
        """One argument for each part of a form, and one for the progress."""
        schema = self.types.document.resolved(schema)
        required = set(schema.get("required", []))
        out = []
        for name, part in schema["properties"].items():
            type_name, _ = self.types.of(part, self.inner(name))
            out.append(Argument(camel_case(name), type_name, name not in required, part.get("description", ""), name, "form"))
        out.sort(key=lambda one: one.optional)
        text = "Called with the number of bytes sent so far, and of all bytes if known."
        return out + [Argument("progress", "UploadProgress", True, text, None, "progress")]

    # The source.

    def swift(self):
        out = self.method()
        if self.is_paged:
            out += "\n" + self.paged_method()
        return out

    def method(self):
        is_stream = self.result == "EventStream"
        arrow = f" -> {self.result}" if self.result else ""
        effects = "" if is_stream else " async throws"
        out = self.comment()
        if not is_stream and self.result and self.operation.method != "get":
            out += "    @discardableResult\n"
        out += f"    public func {escaped(self.name)}({self.declarations(self.arguments)}){effects}{arrow} {{\n"
        return out + f"        {self.sending()}\n    }}\n"

    def sending(self):
        if self.result == "EventStream":
            return f"client.events({self.call()})"
        if self.result is None:
            return f"try await client.perform({self.call()})"
        verb = {"BodyStream": "download", "String": "text"}.get(self.result)
        if verb is None:
            verb = "optionalValue" if self.result.endswith("?") else "value"
        return f"try await client.{verb}({self.call()})"

    def paged_method(self):
        arguments = [copy.copy(one) for one in self.arguments if one.wire != "cursor"]
        passed = ", ".join(f"{one.name}: {self.paged_value(one)}" for one in self.arguments)
        for one in arguments:
            one.label = "pageSize" if one.wire == "limit" else one.label
        text = f"Every item of `{self.name}`, read page by page as a loop asks for them."
        out = documentation(text, 4)
        out += f"    public func {all_items(self.name)}({self.declarations(arguments)}) -> PagedSequence<{self.element}> {{\n"
        out += f"        PagedSequence {{\n            let page = try await self.{escaped(self.name)}({passed})\n"
        return out + "            return Page(items: page.items, nextCursor: page.nextCursor)\n        }\n    }\n"

    @staticmethod
    def paged_value(argument):
        return {"cursor": "$0", "limit": "pageSize"}.get(argument.wire, argument.value)

    @staticmethod
    def declarations(arguments):
        return ", ".join(one.declaration() for one in arguments)

    def call(self):
        parts = [f".{self.operation.method}", self.path()]
        query = [one for one in self.arguments if one.place == "query"]
        items = [f".init({literal(one.wire)}, {self.query_value(one)})" for one in query]
        attributes = [one for one in self.arguments if one.place == "attributes"]
        if attributes:
            parts.append(f"query: [{', '.join(items)}] + .attributes(attributes)")
        elif items:
            parts.append(f"query: [{', '.join(items)}]")
        parts += self.header_parts() + self.body_parts()
        if self.operation.authorization != "required":
            parts.append(f"authorization: .{self.operation.authorization}")
        if self.operation.name in NEVER_REPEATED:
            parts.insert(2, "repetition: .never")
        return f"Call({', '.join(parts)})"

    @staticmethod
    def query_value(argument):
        return f"{argument.value}{'?' if argument.optional else ''}.queryText"

    def header_parts(self):
        if any(one.wire == "Idempotency-Key" for one in self.arguments):
            return ["repetition: .withKey(idempotencyKey)"]
        if any(one.wire == "Last-Event-ID" for one in self.arguments):
            return ["lastEventId: lastEventID"]
        return []

    def body_parts(self):
        if self.operation.body is None:
            return []
        if any(one.place == "progress" for one in self.arguments):
            parts = [self.form_part(one) for one in self.arguments if one.place == "form"]
            return [f"body: .form([{', '.join(parts)}], progress)"]
        optional = any(one.label == "_ body" and one.optional for one in self.arguments)
        return ["body: .json(body)" if not optional else "body: .optional(body)"]

    @staticmethod
    def form_part(argument):
        if argument.type_name == "UploadFile":
            return f".file({literal(argument.wire)}, {argument.value})"
        return f".field({literal(argument.wire)}, {argument.value}{'?' if argument.optional else ''}.queryText)"

    def path(self):
        by_wire = {one.wire: one for one in self.arguments if one.place == "path"}
        segments = self.operation.path.strip("/").split("/")
        pieces = []
        for segment in segments:
            match = re.fullmatch(r"\{(\w+)\}", segment)
            pieces.append(by_wire[match.group(1)].value if match else literal(segment))
        return f"[{', '.join(pieces)}]"

    # The comment.

    def comment(self):
        out = documentation(self.operation.summary + ".", 4)
        if self.operation.description:
            out += "    ///\n" + documentation(self.operation.description, 4)
        explained = [one for one in self.arguments if one.text and one.label != "_ body"]
        codes = self.own_codes()
        if explained or codes:
            out += "    ///\n"
        if len(explained) == 1:
            out += documentation(explained[0].text, 4, f"- Parameter {explained[0].name}: ")
        elif explained:
            out += "    /// - Parameters:\n"
            for one in explained:
                out += documentation(one.text, 4, f"  - {one.name}: ").replace("///   ", "///     ").replace("///     - ", "///   - ")
        if codes:
            names = ", ".join(f"`{camel_case(code)}`" for code in codes)
            out += documentation(f"`APIError` with one of these codes, or one that any request may get: {names}.", 4, "- Throws: ")
        return out

    def own_codes(self):
        found = []
        for status, one in self.operation.responses.items():
            if status.startswith(("4", "5")):
                found += [code for code in re.findall(r"`([a-z_]+)`", one["description"]) if code in self.codes]
        return [code for number, code in enumerate(found) if code not in COMMON and code not in found[:number]]


def write_operations(document, types):
    """The files, by path."""
    codes = set(document.problem_codes())
    groups = {}
    for operation in document.operations:
        if any(kind in PAGES for kind in operation.content_types()) or "{file}" in operation.path and operation.tag == "operations":
            continue
        types.tag = operation.tag
        groups.setdefault(operation.tag, []).append(Method(operation, types, codes))
    types.tag = "errors"
    types.of({"$ref": "#/components/schemas/ProblemCode"}, "ProblemCode")
    files = {"Operations/GraphdClient+groups.swift": write_groups(document, groups)}
    for tag, methods in groups.items():
        check_names(tag, methods)
        text = HEADER + "\nimport Foundation\n\n"
        text += documentation(document.tags.get(tag, upper_first(tag)) + ".")
        text += f"public struct {group_type(tag)}: Sendable {{\n    let client: GraphdClient\n\n"
        text += "\n".join(method.swift() for method in methods) + "}\n"
        files[f"Operations/{group_type(tag)}.swift"] = text
    return files


def check_names(tag, methods):
    names = [method.name for method in methods]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"{tag} has several methods of one name: {twice}")


def write_groups(document, groups):
    text = HEADER + "\nextension GraphdClient {\n"
    for tag in groups:
        text += documentation(document.tags.get(tag, upper_first(tag)) + ".", 4)
        text += f"    public var {escaped(tag)}: {group_type(tag)} {{ {group_type(tag)}(client: self) }}\n"
    return text + "}\n"
