#!/usr/bin/env python3
"""Checks that links between the pages of the repository lead to files and headings that exist.

usage: check_links.py REPOSITORY

Anchors are those that GitHub makes of headings: lower case, without punctuation, hyphens for
spaces, and -1, -2 .. for a heading that is there before. Prints broken links, and exits with 1.
"""
import collections
import pathlib
import re
import sys

FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")


def anchors_of(page):
    seen = collections.Counter()
    anchors = set()
    for heading in re.findall(r"^#+ +(.+)$", FENCE.sub("", page.read_text()), re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-")
        anchors.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return anchors


def broken_links(page):
    text = CODE.sub("", FENCE.sub("", page.read_text()))
    for link in (a or b for a, b in LINK.findall(text)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            yield f"{link}: no such file"
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target):
            yield f"{link}: no such heading"


repository = pathlib.Path(sys.argv[1])
pages = sorted(repository.glob("*.md")) + sorted(repository.glob("docs/**/*.md"))
pages += sorted(repository.glob("bench/**/*.md")) + sorted(repository.glob("tools/**/*.md"))
broken = [f"{page.relative_to(repository)}: {why}" for page in pages for why in broken_links(page)]
print("\n".join(broken) or f"links of {len(pages)} pages lead to files and headings")
sys.exit(bool(broken))
