"""Reads what gcov wrote: coverage.py FOLDER [--lines]. Lines of a file are counted once, whichever object ran them."""
import pathlib
import re
import sys

GOAL = 0.95
lines = {}  # (folder, file) -> {number: was run}
for report in pathlib.Path(sys.argv[1]).glob("*.gcov"):
    text = report.read_text(errors="replace").splitlines()
    source = re.match(r"\s*-:\s*0:Source:(.*)", text[0]).group(1)
    place = re.search(r"referee/(laws|game)/([^/]+)$", source)
    if not place:
        continue
    seen = lines.setdefault(place.groups(), {})
    for line in text:
        found = re.match(r"\s*([0-9*]+|#####|=====):\s*(\d+):", line)
        if found and int(found.group(2)) > 0:
            number = int(found.group(2))
            seen[number] = seen.get(number, False) or not found.group(1).startswith(("#", "="))

failed = not lines
for folder in ("laws", "game"):
    run = total = 0
    for (where, name), seen in sorted(lines.items()):
        if where != folder:
            continue
        run += sum(seen.values())
        total += len(seen)
        print(f"{folder}/{name}: {sum(seen.values())} of {len(seen)}")
        if "--lines" in sys.argv:
            print("   not run:", ", ".join(str(n) for n in sorted(seen) if not seen[n]) or "none")
    share = run / total if total else 0.0
    print(f"{folder}/: {run} of {total} lines, {100 * share:.1f} % (at least {100 * GOAL:.0f} %)")
    failed = failed or share < GOAL
sys.exit(failed)
