/* SPDX-License-Identifier: MIT */
/* Chooses colours of frames and of text on them. The C code of common/ink.c chooses the same.
 *
 * Text is black or white: the one with the better contrast by WCAG 2, which is always at least 4.5:1. */
const linearChannels = Array.from({length: 256}, (_, v) =>
    v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);

/* Returns the relative luminance of 0xRRGGBB. */
const luminance = rgb => 0.2126 * linearChannels[rgb >> 16 & 255] +
    0.7152 * linearChannels[rgb >> 8 & 255] + 0.0722 * linearChannels[rgb & 255];

/* Black and white contrast equally with the luminance sqrt(1.05 * 0.05) - 0.05. */
const isBlackInk = rgb => luminance(rgb) > 0.17912878474779;

/* Returns the value of a channel with a relative luminance. */
const channelOf = linear => {
    const next = linearChannels.findIndex(l => l >= linear);
    return next < 0 ? 255 : next > 0 && linearChannels[next] - linear > linear - linearChannels[next - 1] ? next - 1 : next;
};

const WHITE_LEFT = 0.4;                  /* share of a colour's white that it keeps in the dark theme */
const DARKEST = 0.05, DARK_RANGE = 0.12; /* luminances there */
const darkColors = new Map();

/* Returns the colour of a frame in the dark theme: it has the same hue, is purer, and dark enough for white text;
 * colours that are lighter than others stay lighter. */
function darkColor(rgb) {
    let dark = darkColors.get(rgb);
    if (dark !== undefined) return dark;
    const lights = [16, 8, 0].map(shift => linearChannels[rgb >> shift & 255]), white = Math.min(...lights) * (1 - WHITE_LEFT);
    const [r, g, b] = lights.map(light => light - white), light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    const goal = DARKEST + DARK_RANGE * luminance(rgb);
    dark = [r, g, b].reduce((sum, c) => sum << 8 | channelOf(light > 0 ? c * goal / light : goal), 0);
    darkColors.set(rgb, dark);
    return dark;
}
