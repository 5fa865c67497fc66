#!/usr/bin/env python3
"""Completes the tree of a source archive: its manifest uses the packages in Packages, and an SPDX list names them.

vendor.py TREE VERSION TIME

Reads the versions from TREE/Package.resolved, and the licences from TREE/debian/copyright. TIME is in seconds. Ends with an error
if a package has no licence there, or no licence file in Packages.
"""
import datetime
import hashlib
import json
import pathlib
import re
import sys

# The licences whose SPDX identifier differs from the name in Debian.
IDENTIFIERS = {"Expat": "MIT", "Apache-2.0 with Swift exception": "Apache-2.0 WITH Swift-exception"}


def licences(copyright):
    """Returns the copyright and the SPDX licences of files, by their package or their path in it."""
    found = {}
    for paragraph in re.split(r"\n\s*\n", copyright):
        fields = dict(re.findall(r"^(\w+): *((?:.*)(?:\n[ \t].*)*)", paragraph, re.MULTILINE))
        if not {"Files", "Copyright", "License"} <= fields.keys():
            continue
        names = fields["License"].splitlines()[0].strip().split(" and ")
        identifiers = {IDENTIFIERS.get(name, name) for name in names}
        owners = "\n".join(line.strip() for line in fields["Copyright"].splitlines())
        for pattern in fields["Files"].split():
            found[pattern.removeprefix("Packages/").removesuffix("/*")] = owners, identifiers
    return found


# Appended to the manifest of the archive.
MANIFEST = """
// This is an archive of `make dist`: the packages of the daemon are in folders, and no other package is fetched.
package.dependencies = [
%s
]
for target in package.targets {
  target.dependencies.removeAll { if case .productItem(_, "OpenCombine"?, _, _) = $0 { true } else { false } }
}
"""


def main():
    tree, version, time = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    pins = json.loads((tree / "Package.resolved").read_text())["pins"]
    known = licences((tree / "debian/copyright").read_text())
    folders = []
    packages = [entry("mpris-playerd", version, "NOASSERTION", [known["*"]])]
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        location, state = pin["location"], pin["state"]
        name = location.rsplit("/", 1)[1].removesuffix(".git")
        if name not in known:
            sys.exit(f"error: debian/copyright has no licence of {name}")
        if not any((tree / "Packages" / name).glob("LICENSE*")):
            sys.exit(f"error: Packages/{name} has no licence file")
        folders.append(f'  .package(path: "Packages/{name}"),')
        # Files of other owners in the package follow.
        files = [stated for path, stated in known.items() if path.split("/")[0] == name]
        packages.append(entry(name, state["version"], f"git+{location}@{state['revision']}", files))
    with (tree / "Package.swift").open("a") as manifest:
        manifest.write(MANIFEST % "\n".join(folders))
    # A document has an address of its own; this one depends on its contents alone.
    digest = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"mpris-playerd-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/mpris-playerd-{version}-{digest[:32]}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: mpris-playerd make dist"],
        },
        "packages": packages,
        "relationships": [
            relation("SPDXRef-DOCUMENT", "DESCRIBES", packages[0]["SPDXID"]),
            *(relation(packages[0]["SPDXID"], "CONTAINS", package["SPDXID"]) for package in packages[1:]),
        ],
    }
    (tree / "mpris-playerd.spdx.json").write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def entry(name, version, location, files):
    licence = " AND ".join(sorted(set().union(*(licences for _, licences in files))))
    return {
        "name": name,
        "SPDXID": f"SPDXRef-{name}",
        "versionInfo": version,
        "downloadLocation": location,
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "\n".join(owners for owners, _ in files),
    }


def relation(element, kind, related):
    return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related}


main()
