int a1(int x, int y), a2(int x), b(int x), f(int x), g(int x), h(int x), getchar(void);
int main(void){ int x = getchar(), y = getchar();
  return (x>0) ? a1(x,y) : a2(y);}

int a1(int x, int y){if(y>0) return b(x); else return 0;}
int a2(int x){if(x>0) return b(x); return 0;}
int b(int x){if(x>0) return f(x);else return 0;}

// Target function under test
int f(int x){
  int array[5] = {1,3,5,7,9}, result;
  if (g(x) != 0){ //=> if (stub_g(x) != 0) {
    // => assert(0<=x && x<5);
    result = array[x];
  }else result=h(x);//=> else result=stub_h(x);
  return result;}

int g(int x){ return (x<5)? 1:0;}

int h(int x){ return x + 2;}

// The program of Figure 1 of the CONBRIO paper, line for line; its inputs come from standard input. Where `g` is a stub there is a false alarm at
// line 14. With the real `g` what is left of it, a negative index, is refuted by the context `b -> f`.
// covet: hunt % --function f --unit sut --filter off
// covet: hunt % --function f --unit distance:1 --filter off
// covet: hunt % --function f --unit conbrio
// covet: hunt % --function f
