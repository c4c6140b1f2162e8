/* Traffic collision avoidance, one of the mutated Siemens versions: linear conditions only.
 *
 * Five branches cannot be taken: twice a question is asked again that was just answered (1, 2), twice a separation above MAXALTDIFF
 * would have to be below MINSEP (3, 4), and no threat is above and below (5). `covet run` proves it: it ends "exhausted", without an
 * open question. */
#include <covet.h>

enum { OLEV = 600, MAXALTDIFF = 600, MINSEP = 300, NOZCROSS = 100 };
enum { UNRESOLVED = 0, UPWARD_RA = 1, DOWNWARD_RA = 2 };

static int Cur_Vertical_Sep, High_Confidence, Two_of_Three_Reports_Valid, Own_Tracked_Alt, Own_Tracked_Alt_Rate, Other_Tracked_Alt;
static int Alt_Layer_Value, Up_Separation, Down_Separation, Other_RAC, Other_Capability, Climb_Inhibit;

/* A table in the original. An element of a table at a symbolic place is no linear term. */
static int ALIM(void) {
    switch (Alt_Layer_Value) {
    case 0:
        return 400;
    case 1:
        return 500;
    case 2:
        return 640;
    default:
        return 740;
    }
}

static int Inhibit_Biased_Climb(void) { return Climb_Inhibit == 1 ? Up_Separation + MINSEP : Up_Separation; }

static int Own_Below_Threat(void) { return Own_Tracked_Alt < Other_Tracked_Alt; }

static int Own_Above_Threat(void) { return Other_Tracked_Alt < Own_Tracked_Alt; }

static int Non_Crossing_Biased_Climb(void) {
    int upward_preferred = Inhibit_Biased_Climb() > Down_Separation;
    int result;
    if (upward_preferred)
        result = !Own_Below_Threat() || (Own_Below_Threat() /* 1 */ && !(Down_Separation >= ALIM()));
    else
        result = Own_Above_Threat() && Cur_Vertical_Sep >= MINSEP /* 3 */ && Up_Separation >= ALIM();
    return result;
}

static int Non_Crossing_Biased_Descend(void) {
    int upward_preferred = Inhibit_Biased_Climb() > Down_Separation;
    int result;
    if (upward_preferred)
        result = Own_Below_Threat() && Cur_Vertical_Sep >= MINSEP /* 4 */ && Down_Separation >= ALIM();
    else
        result = !Own_Above_Threat() || (Own_Above_Threat() /* 2 */ && Up_Separation >= ALIM());
    return result;
}

static int alt_sep_test(void) {
    int enabled = High_Confidence == 1 && Own_Tracked_Alt_Rate <= OLEV && Cur_Vertical_Sep > MAXALTDIFF;
    int equipped = Other_Capability == 1;
    int intent_unknown = Two_of_Three_Reports_Valid == 1 && Other_RAC == 0;
    int result = UNRESOLVED;
    if (enabled && ((equipped && intent_unknown) || !equipped)) {
        int need_upward = Non_Crossing_Biased_Climb() && Own_Below_Threat();
        int need_downward = Non_Crossing_Biased_Descend() && Own_Above_Threat();
        if (need_upward && need_downward /* 5 */)
            result = UNRESOLVED;
        else if (need_upward)
            result = UPWARD_RA;
        else if (need_downward)
            result = DOWNWARD_RA;
        else
            result = UNRESOLVED;
    }
    return result;
}

int tcas(int cur_vertical_sep, int high_confidence, int two_of_three_reports_valid, int own_tracked_alt,
         int own_tracked_alt_rate, int other_tracked_alt, int alt_layer_value, int up_separation, int down_separation,
         int other_rac, int other_capability, int climb_inhibit) {
    Cur_Vertical_Sep = cur_vertical_sep;
    High_Confidence = high_confidence;
    Two_of_Three_Reports_Valid = two_of_three_reports_valid;
    Own_Tracked_Alt = own_tracked_alt;
    Own_Tracked_Alt_Rate = own_tracked_alt_rate;
    Other_Tracked_Alt = other_tracked_alt;
    Alt_Layer_Value = alt_layer_value;
    Up_Separation = up_separation;
    Down_Separation = down_separation;
    Other_RAC = other_rac;
    Other_Capability = other_capability;
    Climb_Inhibit = climb_inhibit;
    if (Alt_Layer_Value < 0 || Alt_Layer_Value > 3)
        return -1;
    return alt_sep_test();
}

int main(void) {
    int cur_vertical_sep = covet_int("cur_vertical_sep");
    int high_confidence = covet_int("high_confidence");
    int two_of_three_reports_valid = covet_int("two_of_three_reports_valid");
    int own_tracked_alt = covet_int("own_tracked_alt");
    int own_tracked_alt_rate = covet_int("own_tracked_alt_rate");
    int other_tracked_alt = covet_int("other_tracked_alt");
    int alt_layer_value = covet_int("alt_layer_value");
    int up_separation = covet_int("up_separation");
    int down_separation = covet_int("down_separation");
    int other_rac = covet_int("other_rac");
    int other_capability = covet_int("other_capability");
    int climb_inhibit = covet_int("climb_inhibit");
    return tcas(cur_vertical_sep, high_confidence, two_of_three_reports_valid, own_tracked_alt, own_tracked_alt_rate, other_tracked_alt,
                alt_layer_value, up_separation, down_separation, other_rac, other_capability, climb_inhibit);
}
