"""The contents of a release as a CycloneDX 1.5 document on standard output, and their licences as a Debian copyright file.

usage: sbom.py --binary FILE --version VERSION --commit COMMIT --scratch DIRECTORY [--copyright FILE]
               [--packages FILE --name NAME]

The Swift packages are those whose code is in the binary; --packages names a list "package version architecture" a line,
of the Debian packages of an image. Without it, the Debian packages of the binary's shared libraries are listed.
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import uuid

# The first words of a licence that tell it apart, with its SPDX identifier.
LICENCES = [
    ("Apache License", "Apache-2.0"),
    ("MIT License", "MIT"),
    ("Permission is hereby granted, free of charge", "MIT"),
    ("Redistribution and use in source and binary forms", "BSD-3-Clause"),
]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def licence_file(checkout):
    return next((path for name in ("LICENSE*", "License*", "COPYING*") for path in sorted(checkout.glob(name))), None)


def licence(checkout):
    file = licence_file(checkout)
    text = file.read_text(errors="replace") if file else ""
    return next((identifier for words, identifier in LICENCES if words in text), None)


def linked_modules(scratch):
    """Names of the modules whose objects the linker was given."""
    listing = next(scratch.glob("*/release/graphd.product/Objects.LinkFileList"))
    return set(re.findall(r"/([^/]+)\.build/", listing.read_text()))


def swift_packages(scratch):
    """Packages with code in the binary: (name, version, url, checkout)."""
    modules = linked_modules(scratch)
    state = json.loads((scratch / "workspace-state.json").read_text())
    for dependency in sorted(state["object"]["dependencies"], key=lambda item: item["packageRef"]["identity"]):
        checkout = scratch / "checkouts" / dependency["subpath"]
        manifest = (checkout / "Package.swift").read_text(errors="replace")
        targets = set(re.findall(r'name:\s*"([^"]+)"', manifest))
        if targets & modules:
            reference = dependency["packageRef"]
            url = reference["location"].removesuffix(".git")
            yield reference["identity"], dependency["state"]["checkoutState"]["version"], url, checkout


def swift_components(scratch):
    compiler = re.search(r"Swift version (\S+)", run(os.environ.get("SWIFT", "swift"), "--version")).group(1)
    yield component(
        "swift", compiler, f"pkg:swift/github.com/swiftlang/swift@{compiler}", "Apache-2.0 WITH Swift-exception",
        "Swift's standard library, Dispatch, Foundation and ICU")
    for name, version, url, checkout in swift_packages(scratch):
        yield component(name, version, f"pkg:swift/{url.removeprefix('https://')}@{version}", licence(checkout))


def component(name, version, purl, spdx=None, description=None):
    found = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if description:
        found["description"] = description
    if spdx:
        found["licenses"] = [{"expression": spdx} if " " in spdx else {"license": {"id": spdx}}]
    return found


def debian_component(name, version, architecture):
    return component(name, version, f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch={architecture}&distro=debian-12")


def library_packages(binary):
    """Debian packages of the shared libraries that the binary names."""
    needed = re.findall(r"NEEDED.*\[(.+)\]", run("readelf", "--dynamic", "--wide", binary))
    paths = dict(re.findall(r"(\S+) => (/\S+)", run("ldd", binary)))
    names = set()
    for path in filter(None, (paths.get(name) for name in needed)):
        # Since the merge of /lib into /usr, packages may know the file by either name.
        known = subprocess.run(["dpkg-query", "--search", path, path.removeprefix("/usr"), "/usr" + path],
                               capture_output=True, text=True).stdout
        names |= {line.split(":")[0] for line in known.splitlines()}
    for name in sorted(names):
        yield run("dpkg-query", "--show", "--showformat", "${Package} ${Version} ${Architecture}", name).split()


def document(arguments, components):
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    digest = hashlib.sha256(pathlib.Path(arguments.binary).read_bytes()).hexdigest()
    own = {
        "type": "container" if arguments.packages else "application",
        "bom-ref": arguments.name, "name": arguments.name, "version": arguments.version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "hashes": [{"alg": "SHA-256", "content": digest}],
        "properties": [{"name": "graphd:commit", "value": arguments.commit}],
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, arguments.name + digest)}",
        "version": 1,
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": own},
        "components": components,
        "dependencies": [{"ref": arguments.name, "dependsOn": [item["bom-ref"] for item in components]}],
    }


def copyright_text(scratch):
    """Licences of graphd and of the code that is in its binary, as Debian's machine-readable format has them."""
    paragraphs = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: graphd",
        "Files: *\nCopyright: the graphd authors\nLicense: Apache-2.0\n"
        " On Debian systems, the full text is in /usr/share/common-licenses/Apache-2.0.",
        "Files: usr/bin/graphd\nCopyright: Apple Inc. and the Swift project authors\n"
        "License: Apache-2.0-with-Swift-exception\n The binary contains Swift's runtime libraries, whose licence lets"
        " programs contain them without notice.",
    ]
    for name, version, url, checkout in swift_packages(scratch):
        file = licence_file(checkout)
        text = file.read_text(errors="replace") if file else ""
        holders = re.findall(r"^\s*(Copyright (?:\(c\)|©)?.*\d{4}.*)$", text, re.MULTILINE | re.IGNORECASE)
        spdx = licence(checkout) or "unknown"
        body = f" {name} {version}, {url}"
        if spdx != "Apache-2.0":
            body += "\n" + "\n".join(" " + (line.rstrip() or ".") for line in text.strip().splitlines())
        holder = holders[0].strip() if holders else f"the authors of {name}"
        paragraphs.append(f"Files: usr/bin/graphd\nCopyright: {holder}\nLicense: {spdx}\n{body}")
    return "\n\n".join(paragraphs) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--scratch", required=True, type=pathlib.Path)
    parser.add_argument("--copyright", type=pathlib.Path)
    parser.add_argument("--packages", type=pathlib.Path)
    parser.add_argument("--name", default="graphd")
    arguments = parser.parse_args()
    if arguments.packages:
        debian = [line.split() for line in arguments.packages.read_text().splitlines()]
    else:
        debian = library_packages(arguments.binary)
    components = list(swift_components(arguments.scratch)) + [debian_component(*package) for package in debian]
    if arguments.copyright:
        arguments.copyright.write_text(copyright_text(arguments.scratch))
    print(json.dumps(document(arguments, components), indent=2))


main()
