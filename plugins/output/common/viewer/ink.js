/* Chooses black or white for text on a colour: the one with the better contrast by WCAG 2, which is
 * always at least 4.5:1. The C code of common/ink.c chooses the same. */
const linearChannels = Array.from({length: 256}, (_, v) =>
    v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);

/* Returns the relative luminance of 0xRRGGBB. */
const luminance = rgb => 0.2126 * linearChannels[rgb >> 16 & 255] +
    0.7152 * linearChannels[rgb >> 8 & 255] + 0.0722 * linearChannels[rgb & 255];

/* Black and white contrast equally with the luminance sqrt(1.05 * 0.05) - 0.05. */
const isBlackInk = rgb => luminance(rgb) > 0.17912878474779;
