"""Manual pages of all commands, from the description that `graphd --experimental-dump-help` prints.

usage: graphd --experimental-dump-help | man.py --version VERSION --date YYYY-MM-DD DIRECTORY
"""

import argparse
import json
import pathlib
import re
import sys

# Options that every command has.
COMMON = {"help", "version"}


def escaped(text):
    """Text as roff shows it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^([.])", r"\\&\1", text, flags=re.MULTILINE)


def dashed(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def usage(argument):
    """One argument in the synopsis."""
    if argument["kind"] == "positional":
        text = "\\fI" + escaped(argument["valueName"]) + "\\fR"
    else:
        text = "\\fB" + escaped(dashed(argument["preferredName"])) + "\\fR"
        if argument["kind"] == "option":
            text += " \\fI" + escaped(argument["valueName"]) + "\\fR"
    if argument.get("isRepeating"):
        text += " ..."
    return "[" + text + "]" if argument.get("isOptional") else text


def entry(argument):
    """One argument in the list of options."""
    if argument["kind"] == "positional":
        head = "\\fI" + escaped(argument["valueName"]) + "\\fR"
    else:
        head = ", ".join("\\fB" + escaped(dashed(name)) + "\\fR" for name in argument["names"])
        if argument["kind"] == "option":
            head += " \\fI" + escaped(argument["valueName"]) + "\\fR"
    text = " ".join(part for part in (argument.get("abstract"), argument.get("discussion")) if part)
    if argument.get("defaultValue"):
        text += f" (default: {argument['defaultValue']})"
    return [".TP", head, escaped(text) or "\\&"]


def prose(discussion):
    """Paragraphs; indented lines (examples) stay as they are."""
    lines, isVerbatim = [], False
    for line in discussion.split("\n"):
        if line.startswith("  ") != isVerbatim:
            isVerbatim = not isVerbatim
            lines += [".nf", ".RS 2"] if isVerbatim else [".RE", ".fi"]
        lines.append(".PP" if not line else escaped(line.strip() if not isVerbatim else line[2:]))
    if isVerbatim:
        lines += [".RE", ".fi"]
    return lines


def page(command, path, arguments):
    name = "-".join(path)
    shown = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    own = [a for a in shown if a["kind"] == "positional" or a["preferredName"]["name"] not in COMMON]
    subcommands = visible(command)
    lines = [
        f'.TH "{escaped(name).upper()}" "1" "{arguments.date}" "graphd {arguments.version}" "graphd"',
        ".SH NAME",
        f"{escaped(name)} \\- {escaped(command.get('abstract', '').rstrip('.'))}",
        ".SH SYNOPSIS",
        ".nh",
        " ".join(["\\fB" + escaped(" ".join(path)) + "\\fR"] + (["\\fIcommand\\fR"] if subcommands else [])),
        " ".join(usage(argument) for argument in own),
        ".hy",
    ]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION"] + prose(command["discussion"])
    if shown:
        lines += [".SH OPTIONS"] + [line for argument in shown for line in entry(argument)]
    if subcommands:
        lines.append(".SH COMMANDS")
        for child in subcommands:
            lines += [".TP", f"\\fB{escaped(name + '-' + child['commandName'])}\\fR(1)", escaped(child.get("abstract", ""))]
    if len(path) > 1:
        lines += [".SH SEE ALSO", f"\\fB{escaped('-'.join(path[:-1]))}\\fR(1)"]
    return "\n".join(line for line in lines if line) + "\n"


def visible(command):
    children = command.get("subcommands", [])
    return [c for c in children if c.get("shouldDisplay", True) and c["commandName"] != "help"]


def write(command, path, arguments):
    path = path + [command["commandName"]]
    (arguments.directory / ("-".join(path) + ".1")).write_text(page(command, path, arguments))
    for child in visible(command):
        write(child, path, arguments)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True)
    parser.add_argument("directory", type=pathlib.Path)
    arguments = parser.parse_args()
    write(json.load(sys.stdin)["command"], [], arguments)


main()
