#!/usr/bin/env python3
"""measure.py PROGRAM RELEASES WORK TYPESCRIPT [-v]: judges `diff OLD NEW` by what the languages' own parsers say of both releases.

RELEASES/<language>/<package>-<version> are folders, two of each package; TYPESCRIPT is the folder of that npm package; WORK keeps what
the parsers said. Nothing here reads this program's trees: python.py, typescript.mjs, go.go, Java.java and rust/ print each definition's
head and body without layout and comments.

What is true, of callables and types that a parser names once in a file on each side:
- unchanged: the same text on both sides. Must not be listed, but as `moved`, as `exported`, which a list elsewhere may say, or as `doc`
  where documentation is a comment.
- signature: the same qualified name in the same file, and another head. Must be listed with `signature`.
- moved: a qualified name, type arguments aside, that is gone from a file, and the same name, head and body, once, where it was not.
- renamed: a name that is gone from a file, and the same head and body, once, under a name that was not there.
A definition inside of a type that moved or was renamed went with it, and a file that was renamed took what is in it along.

What is listed is right if the parsers agree: heads differ; bodies are the same but for names, or have most tokens in common (`alike`); of
what changed its place among siblings, that it stands on another side of one of them."""
import collections, difflib, json, os, re, subprocess, sys

program, releases, work, typescript = map(os.path.abspath, sys.argv[1:5])
verbose = "-v" in sys.argv
here = os.path.dirname(os.path.abspath(__file__))
JUDGED = "class interface trait struct enum type function method constructor property".split()
SPEAKING = 40  # characters of a body: fewer tell nothing apart
ALIKE = 0.6    # of tokens in common, to be taken for the same definition


def authority(language, root):
    kept = os.path.join(work, "-".join(root.split(os.sep)[-2:]) + ".jsonl")
    if not os.path.exists(kept):
        command = {
            "python": ["python3", f"{here}/python.py", root],
            "javascript": ["node", f"{here}/typescript.mjs", root, typescript],
            "typescript": ["node", f"{here}/typescript.mjs", root, typescript],
            "go": ["go", "run", f"{here}/go.go", root],
            "java": ["java", "--add-exports", "jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED", f"{here}/Java.java", root],
            "rust": [f"{work}/rust/release/authority", root],
        }[language]
        text = subprocess.run(command, capture_output=True, check=True).stdout
        open(kept, "wb").write(text)
    return [json.loads(line) for line in open(kept)]


def answer(old, new):
    text = subprocess.run([program, "diff", "--json", old, new], capture_output=True, check=True).stdout
    files = [json.loads(line) for line in text.splitlines()]
    for file in files:
        for side, root in (("before", old), ("after", new)):
            if side in file:
                file[side]["path"] = os.path.relpath(file[side]["path"], root)
            for change in file["changes"]:
                if side in change:
                    change[side]["path"] = os.path.relpath(change[side]["path"], root)
    return files


def last(name):
    return re.split(r"::|\.", name)[-1]


def bare(name):
    """A qualified name without type arguments."""
    while (less := re.sub(r"(?<=\w) ?<[^<>]*>", "", name)) != name:
        name = less
    return name


class Side:
    """What a parser says of one release."""

    def __init__(self, records):
        self.records = records
        self.at = collections.defaultdict(list)
        self.named = collections.defaultdict(list)
        for record in records:
            self.at[record["file"], record["name"]].append(record)
            self.named[record["file"], record["qual"]].append(record)

    def once(self):
        return {key: found[0] for key, found in self.named.items() if len(found) == 1}

    def find(self, place):
        """The record of a definition of an answer: that of its name whose lines are the nearest."""
        def distance(record):
            return abs(record["end"] - place["end_line"]) + abs(record["start"] - place["start_line"])
        found = [record for record in self.at[place["path"], last(place["name"])] if record["start"] <= place["end_line"] and place["start_line"] <= record["end"]]
        return min(found, key=distance, default=None)


def tokens(record, *names):
    text = record["body"]
    for name in names:
        text = re.sub(rf"\b{re.escape(name)}\b", "_", text)
    return re.findall(r"\w+|[^\w\s]", text)


def alike(old, new):
    one, other = tokens(old, old["name"], new["name"]), tokens(new, old["name"], new["name"])
    if one == other:
        return 1.0
    one, other = collections.Counter(one), collections.Counter(other)
    return 2 * sum((one & other).values()) / max(1, sum(one.values()) + sum(other.values()))


def inside(place, record):
    return place["path"] == record["file"] and place["start_line"] <= record["start"] and record["end"] <= place["end_line"]


def order_changed(one, other, old, new):
    """Whether a sibling that both have stands on the other side now."""
    scope = lambda record: record["qual"][: -len(record["name"])]
    names = [collections.Counter(r["qual"] for r in side.records if r["file"] == at["file"]) for side, at in ((old, one), (new, other))]
    key = lambda record: (record["qual"], "" if max(count[record["qual"]] for count in names) < 2 else record["sig"])
    before = {key(r): r["start"] for r in old.records if r["file"] == one["file"] and scope(r) == scope(one)}
    after = {key(r): r["start"] for r in new.records if r["file"] == other["file"] and scope(r) == scope(other)}
    return any((before[q] < one["start"]) != (after[q] < other["start"]) for q in before.keys() & after.keys() if q not in (key(one), key(other)))


def judge(language, package, old_root, new_root, totals):
    old, new = Side(authority(language, old_root)), Side(authority(language, new_root))
    files = answer(old_root, new_root)
    changes = [change for file in files for change in file["changes"]]
    files_moved = {file["before"]["path"]: file["after"]["path"] for file in files if file["status"] == "renamed"}
    names = lambda change: {bare(change[side]["qualname"]) for side in ("before", "after") if side in change}
    whole = [change for change in changes if {"moved", "renamed"} & set(change["op"]) or len(names(change)) == 2]
    count = lambda what, right, note="": (totals[language, what].append(right), print(f"  {package}: {what}: {note}") if verbose and not right else None)

    def listed(record, side):
        found = [c for c in changes if side in c and c["kind"] in JUDGED and c[side]["path"] == record["file"] and last(c[side]["name"]) == record["name"]]
        return [c for c in found if (old if side == "before" else new).find(c[side]) == record]

    def carried(one, other):
        return files_moved.get(one["file"]) == other["file"] or any(
            "before" in c and "after" in c and inside(c["before"], one) and inside(c["after"], other)
            and last(c["before"]["name"]) != one["name"] for c in whole)

    one, other = old.once(), new.once()
    for key in one.keys() & other.keys():
        was, now = one[key], other[key]
        if was["full"] == now["full"]:
            wrong = [c for c in listed(now, "after") if set(c["op"]) - {"moved", "exported"} and not (set(c["op"]) <= {"moved", "doc"} and language != "python")
                     and old.find(c["before"]) == was if "before" in c]
            count("unchanged", not wrong, f"{key} {[c['op'] for c in wrong]}")
        if was["sig"] != now["sig"]:
            found = [c for c in listed(now, "after") if "signature" in c["op"]]
            count("signature found", bool(found), f"{key} {was['sig']} => {now['sig']}")
    gone = [r for key, r in one.items() if key not in other and len(r["body"]) >= SPEAKING]
    came = [r for key, r in other.items() if key not in one and len(r["body"]) >= SPEAKING]
    body = lambda r: (r["kind"], r["sig"] if r["kind"] == "callable" else "", " ".join(tokens(r, r["name"])))
    bodies = (collections.defaultdict(list), collections.defaultdict(list))
    for found, records in zip(bodies, (gone, came)):
        for record in records:
            found[body(record)].append(record)
    for key, was in bodies[0].items():
        now = bodies[1].get(key, [])
        if len(was) != 1 or len(now) != 1 or carried(was[0], now[0]) or (bare(was[0]["qual"]), was[0]["file"]) == (bare(now[0]["qual"]), now[0]["file"]):
            continue
        was, now = was[0], now[0]
        what = "moved" if was["name"] == now["name"] else "renamed"
        if what == "renamed" and was["file"] != now["file"]:
            continue
        found = [c for c in listed(now, "after") if what in c["op"] and old.find(c["before"]) == was]
        count(f"{what} found", bool(found), f"{was['file']} {was['qual']} => {now['file']} {now['qual']}")
    for change in changes:
        if "before" not in change or "after" not in change or change["kind"] not in JUDGED:
            continue
        was, now = old.find(change["before"]), new.find(change["after"])
        if was is None or now is None:
            continue
        note = f"{was['file']} {was['qual']} => {now['file']} {now['qual']}"
        if "signature" in change["op"]:
            count("signature right", was["sig"] != now["sig"], note + f" {was['sig']} => {now['sig']}")
        if "renamed" in change["op"]:
            likeness = alike(was, now)
            count("renamed right", was["name"] != now["name"] and likeness >= ALIKE, note + f" {likeness:.2f}")
        if "moved" in change["op"]:
            placed = was["file"] == now["file"] and was["qual"] == now["qual"]
            right = order_changed(was, now, old, new) if placed else was["name"] == now["name"] and alike(was, now) >= 0.5 or "renamed" in change["op"] and alike(was, now) >= ALIKE
            count("moved right", right, note + f" {alike(was, now):.2f}")


def main():
    os.makedirs(work, exist_ok=True)
    build = ["cargo", "build", "-q", "--release", "--manifest-path", f"{here}/rust/Cargo.toml", "--target-dir", f"{work}/rust"]
    subprocess.run(build, check=True)
    totals = collections.defaultdict(list)
    for language in sorted(os.listdir(releases)):
        if language not in ("python", "javascript", "typescript", "go", "java", "rust"):
            continue
        packages = collections.defaultdict(list)
        for folder in sorted(os.listdir(os.path.join(releases, language))):
            packages[folder.rsplit("-", 1)[0]].append(os.path.join(releases, language, folder))
        version = lambda path: [int(part) for part in re.findall(r"\d+", path.rsplit("-", 1)[1])]
        for package, roots in packages.items():
            if len(roots) == 2:
                judge(language, f"{language}/{package}", *sorted(roots, key=version), totals)
    whats = ["unchanged", "signature found", "signature right", "moved found", "moved right", "renamed found", "renamed right"]
    print("| | " + " | ".join(whats) + " |\n" + "| --- " * (len(whats) + 1) + "|")
    for language in sorted({language for language, _ in totals}) + ["all"]:
        row = [language]
        for what in whats:
            found = [right for (lang, kind), rights in totals.items() if kind == what and language in (lang, "all") for right in rights]
            row.append(f"{100 * sum(found) / len(found):.1f} % of {len(found)}" if found else "-")
        print("| " + " | ".join(row) + " |")


main()
