/* SPDX-License-Identifier: MIT */
/* Starts the viewer: makes the file's picture interactive. */
svg.removeAttribute("viewBox");
svg.classList.add("live");
if (picture.isFluid) {
    const likeThePhone = {name: "viewport", content: "width=device-width, initial-scale=1"};
    if (isAlone) svg.prepend(html("meta", likeThePhone));
    svg.setAttribute("width", "100%");
    svg.classList.add("fluid");
}
svg.setAttribute("aria-label", picture.title);
if (!isAlone) svg.setAttribute("tabindex", "0"); /* receives keyboard input */
svg.append(outline);
base = readTree();
takePicture();
restore();
isOpening = false;
if (isAlone && !isFlipped && shift === null) startFirstLook();
else draw();

addEventListener("resize", fitWindow);
addEventListener("beforeprint", toPaper);
addEventListener("afterprint", fromPaper);
addEventListener("pagehide", writeAddress);
for (const change of ["popstate", "hashchange"])
    addEventListener(change, () => {
        if (location.hash.slice(1) !== written) restore();
    });
