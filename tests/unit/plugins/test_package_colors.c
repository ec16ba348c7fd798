/* SPDX-License-Identifier: MIT */
/* Tests the colours of the palette "package". */
#include "unit.h"

#include <math.h>

#include "palettes/package_colors.h"

#define CHROMA    0.088
#define DARKEST   0.70
#define LIGHTEST  0.82
#define FIRST_HUE 25.0 /* degrees */

/* Returns a channel of sRGB for its linear value. */
static uint32_t channel(double linear)
{
    double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return (uint32_t)(fmin(fmax(v, 0), 1) * 255 + 0.5);
}

static double cubed(double v)
{
    return v * v * v;
}

/* Returns the colour with this lightness, chroma and hue in OKLCH; the hue is in degrees. */
static uint32_t color_in_oklch(double lightness, double chroma, double hue)
{
    const double degree = 3.14159265358979323846 / 180;
    double a = chroma * cos(hue * degree), b = chroma * sin(hue * degree);
    double l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b);
    double m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b);
    double s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b);
    return channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) << 16 |
           channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) << 8 |
           channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

static double lightness_of(int tone)
{
    return DARKEST + (LIGHTEST - DARKEST) * tone / (TONES - 1);
}

static void hues_are_evenly_spaced(void **state)
{
    (void)state;
    for (int hue = 0; hue < HUES; hue++)
        for (int tone = 0; tone < TONES; tone++)
            assert_int_equal(
                package_tones[hue][tone],
                color_in_oklch(lightness_of(tone), CHROMA, FIRST_HUE + 360.0 * hue / HUES));
}

static void processes_are_nearly_grey(void **state)
{
    (void)state;
    for (int tone = 0; tone < TONES; tone++)
        assert_int_equal(neutral_tones[tone], color_in_oklch(lightness_of(tone), 0.012, 260));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(hues_are_evenly_spaced),
        cmocka_unit_test(processes_are_nearly_grey),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
