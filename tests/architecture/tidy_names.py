#!/usr/bin/env python3
"""tidy_names.py BUILD [CLANG_TIDY]: whether every name follows the rules in .clang-tidy (readability-identifier-naming).

Reads each compilation of the build folder as it stands in compile_commands.json: several sources at once, so that headers are read
once for all of them. Exit code 1 if a name breaks a rule, 2 if they cannot be read.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

NEWER_THAN_CLANG_14 = "reference to local binding"  # C++20: a lambda may capture a structured binding

ROOT = pathlib.Path(__file__).resolve().parents[2]


def give_up(sentence):
    print(sentence, file=sys.stderr)
    sys.exit(2)


def compilations(build):
    """The build's own, without what only GCC reads: its precompiled headers and its names of warnings."""
    file = build / "compile_commands.json"
    if not file.exists():
        give_up(f"{file} is missing: configure the build first, for instance with tests/run.")
    for entry in json.loads(file.read_text()):
        words = iter(shlex.split(entry["command"]))
        kept = []
        for word in words:
            if word == "-include":
                header = next(words)
                if not header.endswith("cmake_pch.hxx"):
                    kept += [word, header]
            elif word == "-o":
                next(words)
            elif not re.fullmatch(r"-W.*|-march=native", word):
                kept.append(word)
        ours = ROOT in pathlib.Path(entry["file"]).resolve().parents
        if ours and entry["file"].endswith((".cpp", "_cxx.cxx")):
            yield {"directory": entry["directory"], "file": entry["file"], "arguments": kept}


def main():
    if len(sys.argv) < 2:
        give_up(__doc__.strip())
    build = pathlib.Path(sys.argv[1]).resolve()
    given = sys.argv[2] if len(sys.argv) > 2 else ""
    tidy = given if os.access(given, os.X_OK) else shutil.which("clang-tidy")
    if not tidy:
        give_up("clang-tidy is not installed: apt-get install clang-tidy (about 500 MB with LLVM), then run this test again.")
    entries = list(compilations(build))
    if not entries:
        give_up(f"{build}/compile_commands.json names no source of {ROOT}.")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(entries))
        of_ours = f"^{re.escape(str(ROOT))}/(engine|app|tests)/"

        def read(entry):
            return subprocess.run([tidy, "-p", folder, "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
                                   "--checks=-*,readability-identifier-naming", f"--header-filter={of_ours}", entry["file"]],
                                  capture_output=True, text=True)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(read, entries))
    broken, unread = set(), []
    for entry, answer in zip(entries, answers):
        broken.update(re.findall(r"^(\S+:\d+:\d+): warning: (.*) \[readability-identifier-naming", answer.stdout, re.MULTILINE))
        errors = re.findall(r"^.*: error: .*$", answer.stdout, re.MULTILINE)
        unread += [error for error in errors if NEWER_THAN_CLANG_14 not in error][:3]
        if answer.returncode != 0 and not errors:
            unread.append(f"{entry['file']}: {answer.stderr.strip()}")
    for place, rule in sorted(broken):
        print(f"{os.path.relpath(place, ROOT)}: {rule}")
    for sentence in unread:
        print(sentence)
    print(f"{len(entries)} compilations, {len(broken)} names against the rules, {len(unread)} errors")
    sys.exit(2 if unread else 1 if broken else 0)


if __name__ == "__main__":
    main()
