
/* Rows that act or may act: the item that switches them (-1: none), what they are in it, the order of what they hold. */
enum { PLAIN = 0, NORMAL = 1, SLIP = 2, WITH = 3 };
static const int row_item[ROWS] = IN_ROW_ITEM, row_kind[ROWS] = IN_ROW_KIND, row_order[ROWS] = IN_ROW_ORDER;
/* Items: whether they are one-sided, whether they have `from` (1) and `until` (2), the row that presses, the first slip of a rough one, and how many slips it has. */
static const int item_sided[ITEMS] = IN_ITEM_SIDED, item_switched[ITEMS] = IN_ITEM_SWITCHED, item_normal[ITEMS] = IN_ITEM_NORMAL;
static const int item_slip[ITEMS] = IN_ITEM_SLIP, item_slips[ITEMS] = IN_ITEM_SLIPS;
/* Event functions behind those of the model: what they watch (0 contact, 1 friction, 2 side, 3 switch), of which item. */
static const int watch_kind[WATCHES] = IN_WATCH_KIND, watch_item[WATCHES] = IN_WATCH_ITEM;

/* What the equations are made of at a state: M q'' + h = A^T lambda, A q'' + a0, rates v and values f of the rows;
 * numbers x: friction of each item, its restitution, then the rates of states of first order. */
typedef struct {
    double M[NN], h[COORDS], A[RN], a0[ROWS], v[ROWS], f[ROWS], x[NUMBERS];
} Parts;

OWN look(double t, const double *y, const double *p, Parts *at)
{
    return parts(t, y, p, at->M, at->h, at->A, at->a0, at->v, at->f, at->x);
}

OWN acts(const MODE *mode, int row)
{
    const int item = row_item[row];
    if (item < 0) return 1;
    if (row_kind[row] == SLIP) return mode->state[item] == 1;
    if (row_kind[row] == NORMAL && !item_sided[item]) return 1;
    return mode->state[item] > 0;
}

/* The direction of a slip. It does not turn back where the slip passes zero: that is an event. */
static void direction(const Parts *at, const MODE *mode, int item, double *d)
{
    double along = 0.0, square = 0.0;
    for (int k = 0; k < item_slips[item]; k++) {
        const double s = at->v[item_slip[item] + k];
        along += s*mode->along[item][k];
        square += s*s;
    }
    const double speed = sqrt(square);
    for (int k = 0; k < item_slips[item]; k++) {
        d[k] = speed > 0.0 && along >= 0.5*speed ? at->v[item_slip[item] + k]/speed : mode->along[item][k];
    }
}

/* Solves equations of masses and rows in their natural sizes, so that rows that depend on each other are seen: then 1. */
OWN solve_rows(int size, double *a, double *b)
{
    double scale[SIZE];
    for (int i = 0; i < size; i++) {
        double square = i < COORDS ? a[i*size + i] : 0.0;
        for (int j = 0; i >= COORDS && j < COORDS; j++) square += a[i*size + j]/scale[j]*(a[i*size + j]/scale[j]);
        scale[i] = square > 0.0 ? sqrt(square) : 1.0;
    }
    for (int i = 0; i < size; i++) {
        b[i] /= scale[i];
        for (int j = 0; j < size; j++) a[i*size + j] /= scale[i]*scale[j];
    }
    for (int k = 0; k < size; k++) {
        int best = k;
        for (int i = k + 1; i < size; i++) {
            if (fabs(a[i*size + k]) > fabs(a[best*size + k])) best = i;
        }
        if (!(fabs(a[best*size + k]) > 1e-12)) return 1;
        for (int j = 0; j < size && best != k; j++) {
            const double entry = a[k*size + j];
            a[k*size + j] = a[best*size + j];
            a[best*size + j] = entry;
        }
        const double entry = b[k];
        b[k] = b[best];
        b[best] = entry;
        for (int i = k + 1; i < size; i++) {
            const double factor = a[i*size + k]/a[k*size + k];
            for (int j = k + 1; j < size && factor != 0.0; j++) a[i*size + j] -= factor*a[k*size + j];
            b[i] -= factor*b[k];
        }
    }
    for (int i = size - 1; i >= 0; i--) {
        for (int j = i + 1; j < size; j++) b[i] -= a[i*size + j]*b[j];
        b[i] /= a[i*size + i];
    }
    for (int i = 0; i < size; i++) b[i] /= scale[i];
    return 0;
}

/* Accelerations and multipliers of all rows; those of a slip are its friction. */
OWN move(const Parts *at, const MODE *mode, double *a, double *lambda)
{
    double matrix[SS], right[SIZE], d[2] = { 0.0, 0.0 };
    int list[ROWS], m = 0;
    for (int i = 0; i < ROWS; i++) {
        lambda[i] = 0.0;
        if (acts(mode, i)) list[m++] = i;
    }
    const int size = COORDS + m;
    for (int k = 0; k < size*size; k++) matrix[k] = 0.0;
    for (int i = 0; i < COORDS; i++) {
        right[i] = -at->h[i];
        for (int j = 0; j < COORDS; j++) matrix[i*size + j] = at->M[i*COORDS + j];
    }
    for (int k = 0; k < m; k++) {
        const int i = list[k], item = row_item[i];
        right[COORDS + k] = -at->a0[i];
        for (int j = 0; j < COORDS; j++) {
            matrix[(COORDS + k)*size + j] = at->A[i*COORDS + j];
            matrix[j*size + COORDS + k] = -at->A[i*COORDS + j];
        }
        if (item < 0 || row_kind[i] != NORMAL || mode->state[item] != 2) continue;
        direction(at, mode, item, d);
        for (int s = 0; s < item_slips[item]; s++) {
            for (int j = 0; j < COORDS; j++) {
                matrix[j*size + COORDS + k] += at->x[item]*mode->side[item]*d[s]*at->A[(item_slip[item] + s)*COORDS + j];
            }
        }
    }
    if (solve_rows(size, matrix, right) != 0) return 1;
    for (int i = 0; i < COORDS; i++) a[i] = right[i];
    for (int k = 0; k < m; k++) lambda[list[k]] = right[COORDS + k];
    for (int item = 0; item < ITEMS; item++) {
        if (mode->state[item] != 2) continue;
        direction(at, mode, item, d);
        for (int s = 0; s < item_slips[item]; s++) {
            lambda[item_slip[item] + s] = -at->x[item]*mode->side[item]*lambda[item_normal[item]]*d[s];
        }
    }
    return 0;
}

/* The state, then accelerations and multipliers. */
OWN widen(const MODE *mode, double t, const double *y, const double *p, Parts *at, double *z)
{
    if (look(t, y, p, at) != 0) return 1;
    for (int k = 0; k < STATES; k++) z[k] = y[k];
    return move(at, mode, z + STATES, z + STATES + COORDS);
}

PUBLIC_rhs(const MODE *mode, double t, const double *y, const double *p, double *dy)
{
    Parts at;
    double a[COORDS], lambda[ROWS];
    if (look(t, y, p, &at) != 0 || move(&at, mode, a, lambda) != 0) return 1;
    for (int k = 0; k < COORDS; k++) {
        dy[k] = y[COORDS + k];
        dy[COORDS + k] = a[k];
    }
    for (int k = 2*COORDS; k < STATES; k++) dy[k] = at.x[2*ITEMS + k - 2*COORDS];
    return 0;
}

PUBLIC_reactions(const MODE *mode, double t, const double *y, const double *p, double *lambda)
{
    Parts at;
    double a[COORDS];
    return look(t, y, p, &at) != 0 || move(&at, mode, a, lambda) != 0;
}

PUBLIC_observe(const MODE *mode, double t, const double *y, const double *p, double *o)
{
    Parts at;
    double z[WIDE], g[OWN_EVENTS], w[2*ITEMS];
    return widen(mode, t, y, p, &at, z) != 0 || shown(t, z, p, o, g, w) != 0;
}

PUBLIC_events(const MODE *mode, double t, const double *y, const double *p, double *g)
{
    Parts at;
    double z[WIDE], o[OBSERVES], w[2*ITEMS];
    if (widen(mode, t, y, p, &at, z) != 0 || shown(t, z, p, o, g, w) != 0) return 1;
    const double *lambda = z + STATES + COORDS;
    for (int k = 0; k < WATCHES; k++) {
        const int item = watch_item[k], normal = item_normal[item], state = mode->state[item];
        double value = 1.0;
        if (watch_kind[k] == 0) {
            value = state == 0 ? at.f[normal] : lambda[normal];
        } else if (watch_kind[k] == 1 && state > 0) {
            double square = 0.0, along = 0.0;
            for (int s = 0; s < item_slips[item]; s++) {
                const double part = state == 1 ? lambda[item_slip[item] + s] : at.v[item_slip[item] + s];
                square += part*part;
                along += part*mode->along[item][s];
            }
            value = state == 1 ? at.x[item]*fabs(lambda[normal]) - sqrt(square) : along - 0.5*sqrt(square);
        } else if (watch_kind[k] == 2 && state == 2) {
            value = lambda[normal]*mode->side[item];
        } else if (watch_kind[k] == 3 && (state <= 0 ? 1 : 2) & item_switched[item]) {
            value = state < 0 ? w[2*item] + 1e-9 : state == 0 ? -w[2*item] : -w[2*item + 1];
        }
        g[MODEL_EVENTS + k] = value;
    }
    return 0;
}

PUBLIC_residual(const MODE *mode, double t, const double *y, const double *p, double *r)
{
    Parts at;
    if (look(t, y, p, &at) != 0) return 1;
    for (int i = 0; i < ROWS; i++) {
        r[i] = acts(mode, i) && row_order[i] == 0 ? at.f[i] : 0.0;
        r[ROWS + i] = acts(mode, i) && row_order[i] < 2 ? at.v[i] : 0.0;
    }
    return 0;
}

/* Brings rows that act to zero: their values by coordinates, or their rates by rates; Newton's steps, while they help. */
OWN bring_rows(const MODE *mode, double t, double *y, const double *p, int of_rates)
{
    Parts at;
    double matrix[SS], right[SIZE], old[COORDS] = { 0.0 }, before = 0.0;
    int list[ROWS], m = 0;
    double *moved = y + (of_rates ? COORDS : 0);
    for (int i = 0; i < ROWS; i++) {
        if (acts(mode, i) && row_order[i] <= of_rates) list[m++] = i;
    }
    const int size = COORDS + m;
    for (int round = 0; m > 0 && round < 12; round++) {
        double worst = 0.0;
        if (look(t, y, p, &at) != 0) return 1;
        for (int k = 0; k < m; k++) {
            double natural = 0.0;
            for (int j = 0; j < COORDS; j++) natural += fabs(at.A[list[k]*COORDS + j])*fmax(fabs(moved[j]), 1.0);
            const double rest = fabs(of_rates ? at.v[list[k]] : at.f[list[k]])/(natural > 0.0 ? natural : 1.0);
            if (!(rest <= worst)) worst = rest;
        }
        if (worst <= 4.5e-16) return 0;
        if (round > 0 && !(worst < before)) {
            for (int j = 0; j < COORDS; j++) moved[j] = old[j];
            return before < 1e-12 ? 0 : 1;
        }
        before = worst;
        for (int k = 0; k < size*size; k++) matrix[k] = 0.0;
        for (int i = 0; i < COORDS; i++) {
            right[i] = 0.0;
            old[i] = moved[i];
            for (int j = 0; j < COORDS; j++) matrix[i*size + j] = at.M[i*COORDS + j];
        }
        for (int k = 0; k < m; k++) {
            right[COORDS + k] = of_rates ? -at.v[list[k]] : -at.f[list[k]];
            for (int j = 0; j < COORDS; j++) {
                matrix[(COORDS + k)*size + j] = matrix[j*size + COORDS + k] = at.A[list[k]*COORDS + j];
            }
        }
        if (solve_rows(size, matrix, right) != 0) return 1;
        for (int j = 0; j < COORDS; j++) moved[j] += right[j];
    }
    return before < 1e-12 ? 0 : 1;
}

PUBLIC_project(const MODE *mode, double t, double *y, const double *p)
{
    return bring_rows(mode, t, y, p, 0) != 0 || bring_rows(mode, t, y, p, 1) != 0;
}

/* How large the value of a row, or its rate, is by nature. */
static double natural_size(const Parts *at, const double *y, int row, int of_rates)
{
    double size = 0.0;
    for (int j = 0; j < COORDS; j++) {
        size += fabs(at->A[row*COORDS + j])*fmax(fabs(y[(of_rates ? COORDS : 0) + j]), 1.0);
    }
    return size;
}

/* The impact of the rows that act in a mode: the change of the rates, and the impulses. `want` is what each rate becomes. */
OWN strike(const Parts *at, const MODE *mode, const double *want, double *jump, double *impulse)
{
    double matrix[SS], right[SIZE];
    int list[ROWS], m = 0;
    for (int i = 0; i < ROWS; i++) {
        impulse[i] = 0.0;
        if (acts(mode, i) && row_order[i] < 2) list[m++] = i;
    }
    const int size = COORDS + m;
    for (int k = 0; k < size*size; k++) matrix[k] = 0.0;
    for (int i = 0; i < COORDS; i++) {
        right[i] = 0.0;
        for (int j = 0; j < COORDS; j++) matrix[i*size + j] = at->M[i*COORDS + j];
    }
    for (int k = 0; k < m; k++) {
        right[COORDS + k] = want[list[k]] - at->v[list[k]];
        for (int j = 0; j < COORDS; j++) {
            matrix[(COORDS + k)*size + j] = at->A[list[k]*COORDS + j];
            matrix[j*size + COORDS + k] = -at->A[list[k]*COORDS + j];
        }
    }
    if (solve_rows(size, matrix, right) != 0) return 1;
    for (int j = 0; j < COORDS; j++) jump[j] = right[j];
    for (int k = 0; k < m; k++) impulse[list[k]] = right[COORDS + k];
    return 0;
}

static double along_row(const Parts *at, int row, const double *change)
{
    double sum = 0.0;
    for (int j = 0; j < COORDS; j++) sum += at->A[row*COORDS + j]*change[j];
    return sum;
}

static double energy_of(const Parts *at, const double *rates)
{
    double sum = 0.0;
    for (int i = 0; i < COORDS; i++) {
        for (int j = 0; j < COORDS; j++) sum += 0.5*at->M[i*COORDS + j]*rates[i]*rates[j];
    }
    return sum;
}

/* Which contacts touch: 1 at rest along the normal, 2 closing, 0 apart or parting. */
static void touching(const Parts *at, const double *y, int *touch)
{
    for (int item = 0; item < ITEMS; item++) {
        touch[item] = 0;
        if (!item_sided[item]) continue;
        const int row = item_normal[item];
        const double near = 1e-9*natural_size(at, y, row, 0), slow = 1e-9*natural_size(at, y, row, 1);
        if (at->f[row] > near || at->v[row] > slow) continue;
        touch[item] = at->v[row] < -slow ? 2 : 1;
    }
}

/* The impact of contacts that close and of rows that begin to act: impulses push, or a contact opens (all together). */
OWN collide(const MODE *mode, const Parts *at, double *y, const int *touch, double shortest)
{
    double want[ROWS], bounce[ITEMS], jump[COORDS], impulse[ROWS], a[COORDS], lambda[ROWS];
    int list[ITEMS], count = 0;
    MODE open = *mode;
    for (int item = 0; item < ITEMS; item++) {
        bounce[item] = 0.0;
        if (!touch[item]) continue;
        if (item_slips[item] > 0) return 1; /* an impact with friction */
        list[count++] = item;
        open.state[item] = 0;
    }
    for (int item = 0; item < ITEMS; item++) {
        if (item_slips[item] > 0 && !item_sided[item]) return 1;
    }
    if (move(at, &open, a, lambda) != 0) return 1;
    for (int k = 0; k < count; k++) {
        const int row = item_normal[list[k]];
        const double back = -at->x[ITEMS + list[k]]*at->v[row], fall = -along_row(at, row, a) - at->a0[row];
        /* a bounce that would last less than this is none */
        if (touch[list[k]] == 2 && !(fall > 0.0 && 2.0*back < shortest*fall)) bounce[list[k]] = back;
    }
    for (int subset = 0; subset < 1 << count; subset++) {
        MODE tried = open;
        int fits = 1;
        for (int i = 0; i < ROWS; i++) want[i] = 0.0;
        for (int k = 0; k < count; k++) {
            if (!(subset >> k & 1)) continue;
            tried.state[list[k]] = 1;
            want[item_normal[list[k]]] = bounce[list[k]];
        }
        if (strike(at, &tried, want, jump, impulse) != 0) continue;
        double most = 0.0, speed = 0.0;
        for (int i = 0; i < ROWS; i++) most = fmax(most, fabs(impulse[i]));
        for (int k = 0; k < count; k++) speed = fmax(speed, natural_size(at, y, item_normal[list[k]], 1));
        for (int k = 0; k < count; k++) {
            const int row = item_normal[list[k]];
            if (subset >> k & 1) fits = fits && impulse[row] >= -1e-10*most;
            else fits = fits && at->v[row] + along_row(at, row, jump) >= bounce[list[k]] - 1e-9*speed;
        }
        if (!fits) continue;
        const double before = energy_of(at, y + COORDS);
        /* what is driven does work: a wall that moves, or a rate that is given from a time on */
        double driven = 0.0;
        for (int i = 0; i < ROWS; i++) driven -= impulse[i]*(at->v[i] - along_row(at, i, y + COORDS));
        for (int j = 0; j < COORDS; j++) y[COORDS + j] += jump[j];
        /* Newton's law of impact does not describe an impact that would create energy */
        return energy_of(at, y + COORDS) - driven > before + 1e-9*(before + fabs(driven)) + 1e-300;
    }
    return 1;
}

/* What a rough contact that is closed may do: 0 sticks, then slides with each direction and side. */
OWN ways_of(const Parts *at, const double *y, int item, int *is_moving)
{
    double square = 0.0, size = 0.0;
    const int sides = item_sided[item] ? 1 : 2;
    for (int s = 0; s < item_slips[item]; s++) {
        const int row = item_slip[item] + s;
        square += at->v[row]*at->v[row];
        size = fmax(size, natural_size(at, y, row, 1));
    }
    *is_moving = sqrt(square) > 1e-8*size;
    if (*is_moving) return sides;
    return 1 + sides*(item_slips[item] == 1 ? 2 : 1);
}

/* Puts a rough contact into one of its ways; 1 where it begins to slip in a direction that is still to be found. */
OWN take_way(MODE *mode, const Parts *at, int item, int way, int is_moving)
{
    double square = 0.0;
    mode->side[item] = 1;
    mode->state[item] = is_moving || way > 0 ? 2 : 1;
    if (mode->state[item] == 1) return 0;
    if (!is_moving) way--;
    if (!item_sided[item]) {
        mode->side[item] = way % 2 ? -1 : 1;
        way /= 2;
    }
    if (!is_moving && item_slips[item] > 1) return 1;
    for (int s = 0; s < item_slips[item]; s++) square += at->v[item_slip[item] + s]*at->v[item_slip[item] + s];
    for (int s = 0; s < item_slips[item]; s++) {
        mode->along[item][s] = is_moving ? at->v[item_slip[item] + s]/sqrt(square) : way ? -1.0 : 1.0;
    }
    return 0;
}

/* Contacts in space begin to slip against the forces that would hold them, then as their accelerations say. */
OWN find_directions(MODE *mode, const Parts *still, const int *begins)
{
    double a[COORDS], lambda[ROWS];
    MODE held = *mode;
    int count = 0;
    for (int item = 0; item < ITEMS; item++) {
        if (begins[item]) held.state[item] = 1;
        count += begins[item] != 0;
    }
    if (count == 0) return 0;
    if (move(still, &held, a, lambda) != 0) return 1;
    for (int item = 0; item < ITEMS; item++) {
        double square = 0.0;
        if (!begins[item]) continue;
        for (int s = 0; s < item_slips[item]; s++) square += lambda[item_slip[item] + s]*lambda[item_slip[item] + s];
        if (!(square > 0.0)) return 1;
        for (int s = 0; s < item_slips[item]; s++) mode->along[item][s] = -lambda[item_slip[item] + s]/sqrt(square);
    }
    for (int round = 0; round < 100; round++) {
        double change = 0.0;
        if (move(still, mode, a, lambda) != 0) return 1;
        for (int item = 0; item < ITEMS; item++) {
            double parts_of[2] = { 0.0, 0.0 }, square = 0.0;
            if (!begins[item]) continue;
            for (int s = 0; s < item_slips[item]; s++) {
                const int row = item_slip[item] + s;
                parts_of[s] = along_row(still, row, a) + still->a0[row];
                square += parts_of[s]*parts_of[s];
            }
            if (!(square > 0.0)) return 1;
            for (int s = 0; s < item_slips[item]; s++) {
                change = fmax(change, fabs(parts_of[s]/sqrt(square) - mode->along[item][s]));
                mode->along[item][s] = parts_of[s]/sqrt(square);
            }
        }
        if (change < 1e-14) return 0;
    }
    return 1;
}

/* Whether a mode satisfies all laws at a state: what is closed pushes, what is open does not sink in, what sticks is held, what
 * begins to slip does so against its friction. Its accelerations are put into `a`. */
OWN is_lawful(const MODE *mode, const Parts *at, const int *touch, const int *is_moving, double *a)
{
    double lambda[ROWS], most = 0.0;
    if (move(at, mode, a, lambda) != 0) return 0;
    for (int i = 0; i < ROWS; i++) most = fmax(most, fabs(lambda[i]));
    for (int item = 0; item < ITEMS; item++) {
        const int normal = item_normal[item], first = item_slip[item];
        if (item_sided[item] && touch[item]) {
            double size = fabs(at->a0[normal]);
            for (int j = 0; j < COORDS; j++) size += fabs(at->A[normal*COORDS + j]*a[j]);
            if (mode->state[item] ? !(lambda[normal] >= -1e-12*most)
                                  : !(along_row(at, normal, a) + at->a0[normal] >= -1e-9*size)) return 0;
        }
        if (item_slips[item] == 0 || mode->state[item] == 0) continue;
        if (mode->state[item] == 1) {
            double square = 0.0;
            for (int s = 0; s < item_slips[item]; s++) square += lambda[first + s]*lambda[first + s];
            if (!(sqrt(square) <= at->x[item]*fabs(lambda[normal]))) return 0;
            continue;
        }
        if (!item_sided[item] && !(lambda[normal]*mode->side[item] >= 0.0)) return 0;
        if (!is_moving[item]) {
            double along = 0.0;
            for (int s = 0; s < item_slips[item]; s++) {
                along += (along_row(at, first + s, a) + at->a0[first + s])*mode->along[item][s];
            }
            /* what the others hold cannot begin to slip */
            MODE held = *mode;
            double b[COORDS];
            held.state[item] = 1;
            if (!(along > 0.0) || move(at, &held, b, lambda) != 0) return 0;
            if (move(at, mode, a, lambda) != 0) return 0;
        }
    }
    return 1;
}

/* Which contacts stay closed, and how rough ones go on. 1 if no choice satisfies all laws, or choices with several accelerations do. */
OWN settle(MODE *mode, const Parts *at, const double *y, const int *touch)
{
    double a[COORDS], best[COORDS] = { 0.0 };
    int list[ITEMS], count = 0, found = 0, tries = 0;
    const MODE before = *mode;
    for (int item = 0; item < ITEMS; item++) {
        if (touch[item]) list[count++] = item;
    }
    for (int subset = 0; subset < 1 << count; subset++) {
        MODE tried = before;
        int ways[ITEMS], is_moving[ITEMS], way[ITEMS], begins[ITEMS], more = 1;
        Parts still = *at;
        for (int item = 0; item < ITEMS; item++) {
            if (item_sided[item]) tried.state[item] = 0;
        }
        for (int k = 0; k < count; k++) tried.state[list[k]] = subset >> k & 1;
        for (int item = 0; item < ITEMS; item++) {
            const int is_closed = item_slips[item] > 0 && (!item_sided[item] || tried.state[item]);
            way[item] = is_moving[item] = 0;
            ways[item] = is_closed ? ways_of(at, y, item, &is_moving[item]) : 0;
            /* the direction of what is at rest is the one that is kept in mind */
            for (int s = 0; ways[item] > 0 && !is_moving[item] && s < item_slips[item]; s++) still.v[item_slip[item] + s] = 0.0;
        }
        while (more) {
            int fits = 1;
            if (++tries > 20000) return 1;
            for (int item = 0; item < ITEMS; item++) {
                begins[item] = ways[item] > 0 ? take_way(&tried, at, item, way[item], is_moving[item]) : 0;
            }
            fits = find_directions(&tried, &still, begins) == 0 && is_lawful(&tried, &still, touch, is_moving, a);
            if (fits && !found) {
                *mode = tried;
                for (int j = 0; j < COORDS; j++) best[j] = a[j];
                found = 1;
            } else if (fits) {
                double size = 0.0, apart = 0.0;
                for (int j = 0; j < COORDS; j++) size = fmax(size, fmax(fabs(a[j]), fabs(best[j])));
                for (int j = 0; j < COORDS; j++) apart = fmax(apart, fabs(a[j] - best[j]));
                if (apart > 1e-6*size) return 1;
            }
            more = 0;
            for (int item = 0; item < ITEMS && !more; item++) {
                if (ways[item] == 0) continue;
                way[item] = (way[item] + 1) % ways[item];
                more = way[item] > 0;
            }
        }
    }
    return !found;
}

PUBLIC_switch(MODE *mode, double t, double *y, const double *p, double shortest)
{
    Parts at;
    double z[WIDE], o[OBSERVES], g[OWN_EVENTS], w[2*ITEMS];
    int touch[ITEMS], meets = 0;
    const double near = fmin(1e-11*(1.0 + fabs(t)), 1e-10);
    if (widen(mode, t, y, p, &at, z) != 0 || shown(t, z, p, o, g, w) != 0) return 1;
    for (int item = 0; item < ITEMS; item++) {
        const int has_from = item_switched[item] & 1, has_until = item_switched[item] & 2;
        const int begins = has_from && w[2*item] >= -near, ends = has_until && w[2*item + 1] >= -near;
        if (!item_switched[item]) continue;
        if (mode->state[item] == 0 && begins) {
            if (ends) return 1; /* both at once */
            mode->state[item] = 1;
            meets = 1;
            for (int i = 0; i < ROWS; i++) {
                /* what begins to act must hold there */
                if (row_item[i] == item && row_order[i] == 0 && fabs(at.f[i]) > 1e-6*natural_size(&at, y, i, 0)) return 1;
            }
        } else if (mode->state[item] == 1 && ends) {
            mode->state[item] = -1;
        } else if (mode->state[item] < 0 && has_from && w[2*item] <= -1e-9 + near) {
            mode->state[item] = 0; /* it may begin again: what brought it has clearly ended */
        }
    }
    touching(&at, y, touch);
    for (int item = 0; item < ITEMS; item++) meets = meets || touch[item] == 2;
    if (meets) {
        if (collide(mode, &at, y, touch, shortest) != 0 || look(t, y, p, &at) != 0) return 1;
        touching(&at, y, touch);
        for (int item = 0; item < ITEMS; item++) {
            if (touch[item] == 2) return 1;
        }
    }
    if (settle(mode, &at, y, touch) != 0) return 1;
    return PROJECT(mode, t, y, p);
}

PUBLIC_begin(MODE *mode, double t, double *y, const double *p)
{
    Parts at;
    double z[WIDE], o[OBSERVES], g[OWN_EVENTS], w[2*ITEMS];
    for (int item = 0; item < ITEMS; item++) {
        mode->state[item] = item_sided[item] || item_switched[item] ? 0 : 1;
        mode->side[item] = 1;
        mode->along[item][0] = 1.0;
        mode->along[item][1] = 0.0;
    }
    if (widen(mode, t, y, p, &at, z) != 0 || shown(t, z, p, o, g, w) != 0) return 1;
    for (int item = 0; item < ITEMS; item++) {
        const int has_from = item_switched[item] & 1, has_until = item_switched[item] & 2;
        const int begins = !has_from || w[2*item] >= 0.0, ends = has_until && w[2*item + 1] >= 0.0;
        if (item_switched[item]) mode->state[item] = begins ? (ends ? -1 : 1) : 0;
    }
    return SWITCH(mode, t, y, p, 0.0);
}
