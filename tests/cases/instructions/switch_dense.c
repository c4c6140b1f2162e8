// A dense switch with fall-through, shared labels and a default.
// covet: cover % --function dense
int dense(int op, int x)
{
    int result = x;
    switch (op - 3) {
    case 0:
        result += 1;
        break;
    case 1:
    case 2:
        result *= 2;
        /* fall through */
    case 3:
        result -= 5;
        break;
    case 4:
        return result == 99 ? 1 : 2;
    case 5:
        switch (x & 3) {
        case 0: return 3;
        case 3: return 4;
        default: return 5;
        }
    default:
        result = 0;
    }
    return result == 15 ? 6 : 7;
}
