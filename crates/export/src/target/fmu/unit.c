/* An instance of the model: values by their references, a consistent start, projection, events, steps. */
#include "unit.h"

#include <math.h>
#include <string.h>

enum {
    FIRST_STATE = 1,
    FIRST_ACCELERATION = FIRST_STATE + UNIT_STATES,
    FIRST_PARAMETER = FIRST_ACCELERATION + UNIT_STATES - UNIT_COORDINATES,
    FIRST_INPUT = FIRST_PARAMETER + UNIT_PARAMETERS,
    FIRST_OBSERVE = FIRST_INPUT + UNIT_INPUTS,
    FIRST_REACTION = FIRST_OBSERVE + UNIT_OBSERVES,
    FIRST_EVENT = FIRST_REACTION + UNIT_REACTIONS,
    END = FIRST_EVENT + UNIT_EVENTS
};

void unit_touch(Unit *unit)
{
    unit->has_rates = unit->has_reactions = unit->has_observes = 0;
}

void unit_reset(Unit *unit)
{
    memset(unit, 0, sizeof *unit);
    unit->now.t = UNIT(start_time);
    memcpy(unit->now.y, UNIT(start), sizeof unit->now.y);
    memcpy(unit->now.p, UNIT(nominal), sizeof unit->now.p);
    unit->now.tolerance = 1e-10;
    unit->now.starting = 1;
}

/* Inputs that nobody set follow the model's own law, if it has one. */
static int follow(Unit *unit)
{
#if UNIT_HAS_LAWS
    double u[UNIT_ROOM(UNIT_INPUTS)];
    if (UNIT(inputs)(unit->now.t, unit->now.y, unit->now.p, u) != 0) return 1;
    for (int k = 0; k < UNIT_INPUTS; k++) {
        if (!unit->now.set_input[k]) unit->now.p[UNIT_PARAMETERS + k] = u[k];
    }
#else
    (void)unit;
#endif
    return 0;
}

/* The first state for these parameters; what was set from outside is taken as it is. */
int unit_start(Unit *unit)
{
    UnitState *now = &unit->now;
    double wish[UNIT_STATES];
    if (!now->starting) return 0;
    now->starting = 0;
    unit_touch(unit);
    memcpy(wish, now->y, sizeof wish);
    if (follow(unit) != 0) return 1;
    if (UNIT(starting)(now->t, now->y, now->p, wish, now->set_state) != 0) return 1;
#if UNIT_HAS_MODES
    memcpy(wish, now->y, sizeof wish);
    if (UNIT(begin)(&now->mode, now->t, now->y, now->p) != 0) return 1;
    /* what is given must agree with the rows that act */
    for (int k = 0; k < UNIT_STATES; k++) {
        if (!(fabs(wish[k] - now->y[k]) <= 1e-8*(1.0 + fabs(wish[k])))) return 1;
    }
#endif
    return unit_indicators(unit, now->g);
}

int unit_rates(Unit *unit)
{
    UnitState *now = &unit->now;
    if (unit->has_rates) return 0;
    if (unit_start(unit) != 0 || follow(unit) != 0) return 1;
    if (UNIT(rhs)(UNIT_IN(*now) now->t, now->y, now->p, unit->dy) != 0) return 1;
    for (int k = 0; k < UNIT_STATES; k++) {
        if (!isfinite(unit->dy[k])) return 1;
    }
    unit->has_rates = 1;
    return 0;
}

int unit_indicators(Unit *unit, double *g)
{
#if UNIT_EVENTS
    if (unit_start(unit) != 0 || follow(unit) != 0) return 1;
    return UNIT(events)(UNIT_IN(unit->now) unit->now.t, unit->now.y, unit->now.p, g);
#else
    (void)unit;
    g[0] = 0.0;
    return 0;
#endif
}

static int observes(Unit *unit)
{
#if UNIT_OBSERVES
    if (unit->has_observes) return 0;
    if (unit_start(unit) != 0 || follow(unit) != 0) return 1;
    if (UNIT(observe)(UNIT_IN(unit->now) unit->now.t, unit->now.y, unit->now.p, unit->o) != 0) return 1;
#endif
    unit->has_observes = 1;
    return 0;
}

static int reactions(Unit *unit)
{
#if UNIT_REACTIONS
    if (unit->has_reactions) return 0;
    if (unit_start(unit) != 0 || follow(unit) != 0) return 1;
    if (UNIT(reactions)(UNIT_IN(unit->now) unit->now.t, unit->now.y, unit->now.p, unit->lambda) != 0) return 1;
#endif
    unit->has_reactions = 1;
    return 0;
}

int unit_get(Unit *unit, unsigned reference, double *value)
{
    const int at = (int)reference;
    double g[UNIT_ROOM(UNIT_EVENTS)];
    if (at < 0 || at >= END || unit_start(unit) != 0 || follow(unit) != 0) return 1;
    if (at < FIRST_STATE) {
        *value = unit->now.t;
    } else if (at < FIRST_ACCELERATION) {
        *value = unit->now.y[at - FIRST_STATE];
    } else if (at < FIRST_PARAMETER) {
        if (unit_rates(unit) != 0) return 1;
        *value = unit->dy[UNIT_COORDINATES + at - FIRST_ACCELERATION];
    } else if (at < FIRST_OBSERVE) {
        *value = unit->now.p[at - FIRST_PARAMETER];
    } else if (at < FIRST_REACTION) {
        if (observes(unit) != 0) return 1;
        *value = unit->o[at - FIRST_OBSERVE];
    } else if (at < FIRST_EVENT) {
        if (reactions(unit) != 0) return 1;
        *value = unit->lambda[at - FIRST_REACTION];
    } else {
        if (unit_indicators(unit, g) != 0) return 1;
        *value = g[at - FIRST_EVENT];
    }
    return 0;
}

int unit_set(Unit *unit, unsigned reference, double value)
{
    const int at = (int)reference;
    if (!isfinite(value)) return 1;
    unit_touch(unit);
    if (at >= FIRST_STATE && at < FIRST_ACCELERATION) {
        unit->now.y[at - FIRST_STATE] = value;
        unit->now.set_state[at - FIRST_STATE] = 1;
        unit->now.changed = 1;
    } else if (at >= FIRST_PARAMETER && at < FIRST_OBSERVE) {
        unit->now.p[at - FIRST_PARAMETER] = value;
        if (at >= FIRST_INPUT) unit->now.set_input[at - FIRST_INPUT] = 1;
        unit->now.changed = at < FIRST_INPUT || unit->now.changed;
    } else {
        return 1;
    }
    return 0;
}

/* The change of a value along a direction of states, parameters and inputs. */
int unit_along(Unit *unit, const unsigned *unknowns, size_t many, const unsigned *knowns, size_t count,
    const double *seed, double *change)
{
#if UNIT_HAS_MODES
    (void)unit, (void)unknowns, (void)many, (void)knowns, (void)count, (void)seed, (void)change;
    return 1;
#else
    UnitState *now = &unit->now;
    double along_y[UNIT_STATES], along_p[UNIT_ROOM(UNIT_PARAMETERS + UNIT_INPUTS)];
    double dy[UNIT_STATES], o[UNIT_ROOM(UNIT_OBSERVES)], lambda[UNIT_ROOM(UNIT_REACTIONS)];
    int has_rates = 0, has_observes = 0, has_reactions = 0;
    memset(along_y, 0, sizeof along_y);
    memset(along_p, 0, sizeof along_p);
    if (unit_start(unit) != 0 || follow(unit) != 0) return 1;
    for (size_t k = 0; k < count; k++) {
        const int at = (int)knowns[k];
        if (at >= FIRST_STATE && at < FIRST_ACCELERATION) along_y[at - FIRST_STATE] += seed[k];
        else if (at >= FIRST_PARAMETER && at < FIRST_OBSERVE) along_p[at - FIRST_PARAMETER] += seed[k];
        else return 1;
    }
#if UNIT_HAS_LAWS
    double u[UNIT_ROOM(UNIT_INPUTS)];
    if (UNIT(inputs_along)(now->t, now->y, now->p, along_y, along_p, u) != 0) return 1;
    for (int k = 0; k < UNIT_INPUTS; k++) {
        if (!now->set_input[k]) along_p[UNIT_PARAMETERS + k] += u[k];
    }
#endif
    for (size_t k = 0; k < many; k++) {
        const int at = (int)unknowns[k];
        if (at >= FIRST_STATE && at < FIRST_ACCELERATION) {
            change[k] = along_y[at - FIRST_STATE];
        } else if (at >= FIRST_ACCELERATION && at < FIRST_PARAMETER) {
            if (!has_rates && UNIT(rhs_along)(now->t, now->y, now->p, along_y, along_p, dy) != 0) return 1;
            has_rates = 1;
            change[k] = dy[UNIT_COORDINATES + at - FIRST_ACCELERATION];
#if UNIT_OBSERVES
        } else if (at >= FIRST_OBSERVE && at < FIRST_REACTION) {
            if (!has_observes && UNIT(observe_along)(now->t, now->y, now->p, along_y, along_p, o) != 0) return 1;
            has_observes = 1;
            change[k] = o[at - FIRST_OBSERVE];
#endif
#if UNIT_REACTIONS
        } else if (at >= FIRST_REACTION && at < FIRST_EVENT) {
            if (!has_reactions && UNIT(reactions_along)(now->t, now->y, now->p, along_y, along_p, lambda) != 0) return 1;
            has_reactions = 1;
            change[k] = lambda[at - FIRST_REACTION];
#endif
        } else {
            return 1;
        }
    }
    (void)o, (void)lambda, (void)has_observes, (void)has_reactions;
    return 0;
#endif
}

/* Whether the constraints have been left so far that the state must be brought back. */
int unit_drifts(Unit *unit)
{
#if UNIT_RESIDUALS
    double r[UNIT_RESIDUALS], limit = 0.5*unit->now.tolerance;
    if (UNIT(residual)(UNIT_IN(unit->now) unit->now.t, unit->now.y, unit->now.p, r) != 0) return 1;
    limit = limit > 5e-11 ? 5e-11 : limit < 1e-12 ? 1e-12 : limit;
    for (int k = 0; k < UNIT_RESIDUALS; k++) {
        if (!(fabs(r[k]) <= limit)) return 1;
    }
#else
    (void)unit;
#endif
    return 0;
}

static int project(Unit *unit)
{
    unit_touch(unit);
#if UNIT_HAS_PROJECTION
    if (follow(unit) != 0) return 1;
    return UNIT(project)(UNIT_IN(unit->now) unit->now.t, unit->now.y, unit->now.p);
#else
    return 0;
#endif
}

/* Looks at the event functions; a stop that has come is kept in mind. */
static int watch(Unit *unit)
{
    static const signed char ways[] = UNIT_WAYS, stops[] = UNIT_STOPS;
    UnitState *now = &unit->now;
    double g[UNIT_ROOM(UNIT_EVENTS)];
    if (unit_indicators(unit, g) != 0) return 1;
    for (int k = 0; k < UNIT_EVENTS; k++) {
        const double near = 1e-10*(now->most[k] = fmax(now->most[k], fabs(g[k])));
        const int up = now->g[k] < -near && g[k] >= -near, down = now->g[k] > near && g[k] <= near;
        if (stops[k] && ((ways[k] >= 0 && up) || (ways[k] <= 0 && down))) now->stopped = 1;
        now->g[k] = g[k];
    }
    return 0;
}

#if UNIT_HAS_MODES
/* The mode changes until it stays as it is; whether something did. */
static int switches(Unit *unit, int *moved)
{
    UnitState *now = &unit->now;
    for (int round = 0; round < 20; round++) {
        const UnitState before = *now;
        unit_touch(unit);
        if (follow(unit) != 0 || UNIT(switch)(&now->mode, now->t, now->y, now->p, UNIT_SHORTEST) != 0) return 1;
        const int is_other = memcmp(&before.mode, &now->mode, sizeof now->mode) != 0;
        for (int k = 0; k < UNIT_STATES; k++) {
            if (before.y[k] < now->y[k] || before.y[k] > now->y[k]) *moved = 1;
        }
        if (!is_other) return 0;
        *moved = 1;
    }
    return 1;
}

/* Whether an event function of the mode is below zero. */
static int is_over(Unit *unit)
{
    double g[UNIT_ROOM(UNIT_EVENTS)];
    if (unit_indicators(unit, g) != 0) return 1;
    for (int k = UNIT_MODEL_EVENTS; k < UNIT_EVENTS; k++) {
        if (g[k] < 0.0) return 1;
    }
    return 0;
}
#endif

/* What happens at an event: drift is removed, the mode changes, stops are noticed. */
int unit_event(Unit *unit, int *moved)
{
    *moved = 0;
    if (unit_start(unit) != 0) return 1;
    if (unit->now.changed || unit_drifts(unit)) {
        if (project(unit) != 0) return 1;
        unit->now.changed = 0;
        *moved = 1;
    }
#if UNIT_HAS_MODES
    if (switches(unit, moved) != 0) return 1;
#endif
    return watch(unit);
}

/* The tableau of Dormand and Prince, order 5 with an error estimate of order 4. */
static const double C[7] = { 0.0, 0.2, 0.3, 0.8, 8.0/9.0, 1.0, 1.0 };
static const double A[7][6] = {
    { 0.0 },
    { 0.2 },
    { 3.0/40.0, 9.0/40.0 },
    { 44.0/45.0, -56.0/15.0, 32.0/9.0 },
    { 19372.0/6561.0, -25360.0/2187.0, 64448.0/6561.0, -212.0/729.0 },
    { 9017.0/3168.0, -355.0/33.0, 46732.0/5247.0, 49.0/176.0, -5103.0/18656.0 },
    { 35.0/384.0, 0.0, 500.0/1113.0, 125.0/192.0, -2187.0/6784.0, 11.0/84.0 }
};
static const double E[7] = { 71.0/57600.0, 0.0, -71.0/16695.0, 71.0/1920.0, -17253.0/339200.0, 22.0/525.0, -1.0/40.0 };

/* One step of length h; the estimate of its error against the tolerance, or a negative number. */
static double leap(Unit *unit, double h, double tolerance)
{
    UnitState *now = &unit->now;
    double k[7][UNIT_STATES], y0[UNIT_STATES], worst = 0.0;
    const double t0 = now->t;
    memcpy(y0, now->y, sizeof y0);
    for (int s = 0; s < 7; s++) {
        for (int i = 0; i < UNIT_STATES; i++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) sum += A[s][j]*k[j][i];
            now->y[i] = y0[i] + h*sum;
        }
        now->t = t0 + C[s]*h;
        unit_touch(unit);
        if (unit_rates(unit) != 0) return -1.0;
        memcpy(k[s], unit->dy, sizeof k[s]);
    }
    for (int i = 0; i < UNIT_STATES; i++) {
        double error = 0.0;
        for (int s = 0; s < 7; s++) error += E[s]*k[s][i];
        const double size = fmax(fmax(fabs(y0[i]), fabs(now->y[i])), 1e-3);
        const double share = fabs(h*error)/(tolerance*size);
        if (!(share <= worst)) worst = share;
    }
    return isfinite(worst) ? worst : -1.0;
}

/* Goes back to where the first stop lies between the state before and this one. */
static int find_stop(Unit *unit, const UnitState *before, double h)
{
    double low = 0.0, high = h;
    for (int round = 0; round < 60 && high - low > 1e-13*(1.0 + fabs(before->t)); round++) {
        const double middle = 0.5*(low + high);
        unit->now = *before;
        if (leap(unit, middle, 1.0) < 0.0 || project(unit) != 0 || watch(unit) != 0) return 1;
        if (unit->now.stopped) high = middle; else low = middle;
    }
    unit->now = *before;
    if (leap(unit, high, 1.0) < 0.0 || project(unit) != 0 || watch(unit) != 0) return 1;
    unit->now.stopped = 1;
    return 0;
}

#if UNIT_HAS_MODES
/* Goes back to the first change of the mode between the state before and this one, and changes it there. */
static int find_switch(Unit *unit, const UnitState *before, double h)
{
    double low = 0.0, high = h;
    int moved = 0;
    for (int round = 0; round < 80 && high - low > 1e-15*(1.0 + fabs(before->t)); round++) {
        const double middle = 0.5*(low + high);
        unit->now = *before;
        if (leap(unit, middle, 1.0) < 0.0) return 1;
        if (is_over(unit)) high = middle; else low = middle;
    }
    unit->now = *before;
    if (leap(unit, high, 1.0) < 0.0) return 1;
    unit->now.step = before->step;
    return switches(unit, &moved);
}
#endif

/* Integrates until a time, or until a stop. */
int unit_step(Unit *unit, double until)
{
    UnitState *now = &unit->now;
    const double tolerance = fmax(1e-2*now->tolerance, 1e-13), start = now->t;
#if UNIT_HAS_MODES
    int at_once = 0;
#endif
    if (unit_start(unit) != 0) return 1;
    if (now->changed && project(unit) != 0) return 1;
    now->changed = 0;
    if (!now->watched && watch(unit) != 0) return 1;
    now->watched = 1;
    if (now->step <= 0.0) now->step = 1e-3*(until - now->t);
    for (long round = 0; now->t < until && !now->stopped; round++) {
        const double left = until - now->t;
        if (round > 10000000L) return 1;
        if (left <= 1e-14*fmax(fabs(start), fabs(until))) break;
        UnitState before = *now;
        const double h = fmin(now->step, left);
        const double error = leap(unit, h, tolerance);
        if (error < 0.0 || error > 1.0) {
            *now = before;
            now->step = h*(error < 0.0 ? 0.25 : fmax(0.2, 0.9*pow(error, -0.2)));
            if (now->step < 1e-14*fmax(1.0, fabs(now->t))) return 1;
            continue;
        }
#if UNIT_HAS_MODES
        if (is_over(unit)) {
            const double t = before.t;
            before.step = h;
            if (find_switch(unit, &before, h) != 0) return 1;
            at_once = now->t > t ? 0 : at_once + 1;
            if (at_once > 20 || watch(unit) != 0) return 1;
            if (now->stopped) return 0;
            continue;
        }
#endif
        if (project(unit) != 0 || watch(unit) != 0) return 1;
        if (now->stopped) {
            before.step = h;
            return find_stop(unit, &before, h);
        }
        const double next = h*fmin(4.0, error > 0.0 ? 0.9*pow(error, -0.2) : 4.0);
        now->step = h < before.step && next < before.step ? before.step : next;
    }
    if (!now->stopped) now->t = until;
    unit_touch(unit);
    return 0;
}
