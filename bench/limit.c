/* The end of a turn in Anarchy by hand: the same four sweeps over the same bytes as games/anarchy/rules.py.
   `City` comes from city.h, which limit.py writes from the record's layout. */

#include <stdbool.h>
#include <stdint.h>

#include "city.h"

enum { ONCE, WHILE_BURNING, NEVER };
enum { NONE = -1 };

static inline int max(int a, int b) { return a > b ? a : b; }
static inline int min(int a, int b) { return a < b ? a : b; }

static void burn(City *city)
{
    const int count = city->building_count;
    const int bonus_bribes = city->settings.bonus_bribes;
    const int in_ruins_too = bonus_bribes == WHILE_BURNING;
    int earned = 0, earned_by_second = 0;

    for (int b = 0; b < count; b++) {
        int health = city->health[b], fire = city->fire[b];
        int left = max(0, health - fire);
        int earns = (left == 0) & (fire > 0) & ((health > 0) | in_ruins_too);
        earned += earns;
        earned_by_second += earns & city->owner[b];
        city->health[b] = left;
    }
    if (bonus_bribes != NEVER) {
        city->bonus[0] += earned - earned_by_second;
        city->bonus[1] += earned_by_second;
    }
}

static void blow(City *city)
{
    const int intensity = city->intensity[city->current_forecast];
    if (intensity == 0)
        return;
    const int16_t *downwind = city->neighbour[city->direction[city->current_forecast]];
    const int carried = min(intensity, city->settings.max_fire);
    const int count = city->building_count;
    const bool crosses = city->settings.wind_crosses_buildings;

    for (int b = 0; b < count; b++) {
        if (city->fire[b] <= 0)
            continue;
        int reached = downwind[b];
        if (!crosses) {
            if (reached != NONE)
                city->arriving[reached] = max(city->arriving[reached], min(city->fire[b], intensity));
            continue;
        }
        for (int step = 0; step < intensity && reached != NONE; step++) {
            city->arriving[reached] = max(city->arriving[reached], carried);
            if (city->fire[reached] > 0)
                break; /* this building spreads its own fire */
            reached = downwind[reached];
        }
    }
}

static void die_down(City *city)
{
    const int count = city->building_count;
    const int fade = city->settings.fire_fade;

    for (int b = 0; b < count; b++) {
        city->fire[b] = max(max(0, city->fire[b] - fade), city->arriving[b]);
        city->arriving[b] = 0;
    }
}

static void cool_down(City *city)
{
    const int count = city->building_count;
    const int fade = city->settings.exposure_fade;

    for (int b = 0; b < count; b++) {
        city->exposure[b] = city->bribed[b] ? city->exposure[b] : max(0, city->exposure[b] - fade);
        city->bribed[b] = false;
    }
}

/* Ends one turn in every city. */
void sweep(City *cities, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        burn(&cities[i]);
        blow(&cities[i]);
        die_down(&cities[i]);
        cool_down(&cities[i]);
    }
}
