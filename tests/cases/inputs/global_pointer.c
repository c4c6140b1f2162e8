// A symbolic global array and a symbolic global of a typedef'd enum.
// covet: cover % --function state --symbolic-global table --symbolic-global mode
typedef enum { OFF, ON = 4 } mode_type;
mode_type mode = OFF;
short table[2][2] = {{1, 2}, {3, 4}};
int state(unsigned i)
{
    if (mode == ON && table[1][0] == -3)
        return 1;
    if (i < 2 && table[i][1 - i] == 500)
        return i ? 2 : 3;
    return 0;
}
