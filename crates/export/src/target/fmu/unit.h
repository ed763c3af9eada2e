/* What both versions of the interface share: an instance of the model, its values, its steps. */
#ifndef UNIT_H
#define UNIT_H

#include <stddef.h>

#include "config.h"

/* A list of no entries has room for one. */
#define UNIT_ROOM(n) ((n) > 0 ? (n) : 1)

/* Functions of a model with modes take the mode first. */
#if UNIT_HAS_MODES
#define UNIT_IN(state) &(state).mode,
#else
#define UNIT_IN(state)
#endif

/* Bounces that would be shorter are none. */
#define UNIT_SHORTEST 1e-6

/* Everything that changes: it is saved and restored as it stands. */
typedef struct {
    double t, y[UNIT_STATES], p[UNIT_ROOM(UNIT_PARAMETERS + UNIT_INPUTS)];
    /* which states and inputs were set from outside */
    unsigned char set_state[UNIT_STATES], set_input[UNIT_ROOM(UNIT_INPUTS)];
    double tolerance, step;
    /* event functions when they were last looked at, and the largest values seen */
    double g[UNIT_ROOM(UNIT_EVENTS)], most[UNIT_ROOM(UNIT_EVENTS)];
    int starting, stopped, watched, changed;
#if UNIT_HAS_MODES
    UNIT(mode) mode;
#endif
} UnitState;

typedef struct {
    UnitState now;
    /* what was computed since something changed, and whether it is there */
    int has_rates, has_reactions, has_observes;
    double dy[UNIT_STATES], lambda[UNIT_ROOM(UNIT_REACTIONS)], o[UNIT_ROOM(UNIT_OBSERVES)];
} Unit;

/* Functions return 0, or 1 where there is no answer. */
void unit_reset(Unit *unit);
void unit_touch(Unit *unit);
int unit_start(Unit *unit);
int unit_get(Unit *unit, unsigned reference, double *value);
int unit_set(Unit *unit, unsigned reference, double value);
int unit_rates(Unit *unit);
int unit_indicators(Unit *unit, double *g);
int unit_along(Unit *unit, const unsigned *unknowns, size_t many, const unsigned *knowns, size_t count,
    const double *seed, double *change);
int unit_drifts(Unit *unit);
int unit_event(Unit *unit, int *moved);
int unit_step(Unit *unit, double until);

#endif
