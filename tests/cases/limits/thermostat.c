// A controller that never ends: runs are cut where they lead nowhere, and none is a hang.
// covet: run % --iterations 120
extern int __VERIFIER_nondet_int(void);

enum { OFF, HEATING, COOLING, FAULT } state = OFF;
static int errors;

int main(void)
{
    for (;;) {
        int temperature = __VERIFIER_nondet_int();
        switch (state) {
        case OFF:
            if (temperature < 15)
                state = HEATING;
            else if (temperature > 30)
                state = COOLING;
            break;
        case HEATING:
            if (temperature > 20)
                state = OFF;
            else if (temperature < -40)
                errors++;
            break;
        case COOLING:
            if (temperature < 25)
                state = OFF;
            else if (temperature > 90)
                errors++;
            break;
        case FAULT:
            if (temperature == 0)
                state = OFF, errors = 0;
            break;
        }
        if (errors > 2)
            state = FAULT;
    }
}
