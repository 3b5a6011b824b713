# strain against time, a line a method, from the JSON of weft-bench quality
#
# Reads quality.awk's table. The colours are Okabe and Ito's, which readers who see colours
# differently can tell apart; grey stands for the serial loop.
set encoding utf8
set terminal svg size (inline == 2 ? 360 : 1040), (inline == 2 ? 460 : 620) font "sans-serif,14"
set output picture
set datafile separator "\t"

scene = system(sprintf("sed -n 's/^#= //p' '%s'", table))
methods = system(sprintf("sed -n 's/^#methods //p' '%s'", table))
color(method) = method eq "serial" ? 0xA0A0A0 : method eq "colored" ? 0x7A7A7A : \
  method eq "serial-lra" ? 0xCC79A7 : method eq "colored-lra" ? 0xB0609A : \
  method eq "vertex-block" ? 0x56B4E9 : method eq "plain" ? 0xE69F00 : \
  method eq "substeps" ? 0x0072B2 : method eq "lra" ? 0xD55E00 : 0x009E73
shape(method) = method eq "serial" ? 7 : method eq "colored" ? 6 : method eq "serial-lra" ? 15 : \
  method eq "colored-lra" ? 14 : method eq "vertex-block" ? 4 : \
  method eq "plain" ? 5 : method eq "substeps" ? 9 : \
  method eq "lra" ? 13 : 11
legend(method) = method eq "serial" ? "serial" : method eq "colored" ? "serial, coloured" : \
  method eq "serial-lra" ? "serial, lra" : method eq "colored-lra" ? "serial, coloured, lra" : \
  method eq "vertex-block" ? "vertex blocks" : "weft, " . method

if (!inline) {
  set object 1 rectangle from screen 0,0 to screen 1,1 fillcolor rgb "#ffffff" fillstyle solid noborder behind
  set label 1 "Stretch left, and the time it takes" at screen 0.09, 0.96 font ",18"
  set label 2 scene . "; lower and further left is better; lines join the best settings" \
    at screen 0.09, 0.92 textcolor "#444444" noenhanced
}
set xlabel "milliseconds a step"
set ylabel "mean strain, %" offset 1,0
set logscale xy
set format xy "%g"
set border 3 linecolor "#555555"
set xtics nomirror
set ytics nomirror
set grid xtics ytics linetype 1 linewidth 0.6 linecolor "#dddddd"
if (inline == 2) {
  set format xy "10^{%L}"
  set xlabel offset 0,0.5
  set bmargin at screen 0.5
  set key at screen 0.97, 0.38 samplen 1 width -2 Left reverse font ",12"
} else {
  set tmargin at screen (inline ? 0.97 : 0.84)
  set bmargin at screen 0.21
  set lmargin at screen 0.09
  set rmargin at screen 0.97
  set key at screen 0.965, 0.11 samplen 1.5 maxrows 3 Left reverse
}

plot for [m in methods] table index "points ".m using 1:2 with points \
       pointtype shape(m) pointsize 0.7 linecolor rgb color(m) notitle, \
     for [m in methods] table index "front ".m using 1:2 with lines \
       linewidth 2 linecolor rgb color(m) notitle, \
     for [m in methods] keyentry with linespoints pointtype shape(m) pointsize 0.7 \
       linewidth 2 linecolor rgb color(m) title legend(m)
