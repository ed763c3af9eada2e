"""Packs the extension: a .vsix is a zip with a manifest, a list of types, and the files of the extension.

    python3 pack.py OUT.vsix
"""

import json
import pathlib
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FILES = ["package.json", "README.md", "language-configuration.json", "syntaxes/mech.tmLanguage.json", "dist/client.js"]
LICENCES = ["LICENSE-MIT", "LICENSE-APACHE"]
TYPES = {"json": "application/json", "js": "application/javascript", "md": "text/markdown", "vsixmanifest": "text/xml", "txt": "text/plain"}


def licences() -> str:
    """The licences of the packages that are bundled into the client."""
    lock = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))
    parts = []
    for path in sorted(lock["packages"]):
        name = path.removeprefix("node_modules/")
        if not path or "esbuild" in name:
            continue
        files = [file for file in (HERE / path).iterdir() if file.name.lower().startswith(("license", "licence"))]
        if not files:
            sys.exit(f"{name} has no licence file: is it installed, and may it be bundled?")
        parts.append(f"{name}\n\n{files[0].read_text(encoding='utf-8').strip()}\n")
    return f"\n{'-' * 72}\n\n".join(parts)


def manifest(package: dict) -> str:
    identity = f'Id={quoteattr(package["name"])} Version={quoteattr(package["version"])} Publisher={quoteattr(package["publisher"])}'
    engine = quoteattr(package["engines"]["vscode"])
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" {identity}/>
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <License>extension/LICENSE-MIT.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/{FILES[1]}" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def main(out: pathlib.Path) -> None:
    package = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    named = [package["main"], *(one["path"] for one in package["contributes"]["grammars"])]
    named += [one["configuration"] for one in package["contributes"]["languages"]]
    missing = [path for path in named if path.removeprefix("./") not in FILES]
    if missing:
        sys.exit(f"package.json names files that are not packed: {', '.join(missing)}")
    for key in ("devDependencies", "scripts"):
        package.pop(key, None)
    types = "".join(f'<Default Extension=".{end}" ContentType="{kind}"/>' for end, kind in TYPES.items())
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("extension.vsixmanifest", manifest(package))
        archive.writestr(
            "[Content_Types].xml",
            f'<?xml version="1.0" encoding="utf-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{types}</Types>',
        )
        archive.writestr("extension/package.json", json.dumps(package, indent=2))
        for name in FILES[1:]:
            archive.write(HERE / name, f"extension/{name}")
        archive.writestr("extension/LICENCES-BUNDLED.txt", licences())
        for name in LICENCES:
            archive.write(ROOT / name, f"extension/{name}.txt")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
