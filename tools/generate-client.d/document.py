"""The OpenAPI document, with references followed."""

import yaml

METHODS = ("get", "put", "post", "patch", "delete")


class Operation:
    """One operation of the document."""

    def __init__(self, document, method, path, content):
        self.method, self.path = method, path
        self.name = content["operationId"]
        self.tag = content["tags"][0]
        self.summary = content["summary"]
        self.description = content.get("description", "")
        self.parameters = [document.resolved_parameter(one) for one in content.get("parameters", [])]
        self.body = document.resolved(content["requestBody"]) if "requestBody" in content else None
        self.responses = {status: document.resolved(one) for status, one in content["responses"].items()}
        self.security = content.get("security")

    @property
    def successes(self):
        return {status: one for status, one in self.responses.items() if status.startswith("2")}

    @property
    def authorization(self):
        """The name of the case of `Call.Authorization`."""
        if self.security is None:
            return "required"
        return "none" if not self.security else "optional"

    def content_types(self):
        return [kind for one in self.successes.values() for kind in one.get("content", {})]


class Document:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.content = yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self.schemas = self.content["components"]["schemas"]
        self.tags = {tag["name"]: tag["description"] for tag in self.content["tags"]}
        self.operations = [
            Operation(self, method, path, item[method])
            for path, item in self.content["paths"].items()
            for method in METHODS
            if method in item
        ]

    def resolved(self, value):
        """Follows references until there is none."""
        while "$ref" in value:
            target = self.content
            for part in value["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            value = target
        return value

    def resolved_parameter(self, value):
        """A parameter, with the name of its component, if it is one, as `component`."""
        component = value["$ref"].rsplit("/", 1)[1] if "$ref" in value else None
        return self.resolved(value) | {"component": component}

    def problem_codes(self):
        return self.schemas["ProblemCode"]["enum"]
