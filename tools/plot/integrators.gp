# errors of the integrators against the step, from the table of weft-sim run integrators
#
# Reads integrators.awk's table. The colours are Okabe and Ito's, which readers who see colours
# differently can tell apart; dashed grey lines have the slopes of orders 1 and 2.
set encoding utf8
set terminal svg size 1040,860 font "sans-serif,14" background "#ffffff"
set output picture
set datafile separator "\t"
set datafile missing "nan"

systems = system(sprintf("sed -n 's/^#systems //p' '%s'", table))
integrators = system(sprintf("sed -n 's/^#integrators //p' '%s'", table))
color(name) = name eq "position_verlet" ? 0x0072B2 : name eq "velocity_verlet" ? 0x56B4E9 : \
  name eq "semi_implicit_euler" ? 0x009E73 : name eq "explicit_euler" ? 0xD55E00 : \
  name eq "implicit_euler" ? 0xE69F00 : 0xCC79A7
shape(name) = name eq "position_verlet" ? 7 : name eq "velocity_verlet" ? 6 : \
  name eq "semi_implicit_euler" ? 5 : name eq "explicit_euler" ? 9 : \
  name eq "implicit_euler" ? 11 : 13
legend(name) = system(sprintf("echo '%s' | sed 's/semi_/semi-/; s/_/ /; s/verlet/Verlet/; s/euler/Euler/; s/runge kutta_/Runge-Kutta /'", name))
title_of(column) = column == 2 ? "error of the position" : "error of the energy"

stats table using 1 nooutput
columns = words(systems)
left(n) = 0.09 + (n - 1) * 0.90 / columns
right(n) = left(n) + 0.90 / columns - 0.06

set logscale xy
set xrange [STATS_min / 1.4 : STATS_max * 1.4]
set yrange [2e-7 : 5]
set format y "10^{%L}"
set format x "%g"
set border 3 linecolor "#555555"
set xtics nomirror textcolor "#000000"
set ytics 10 nomirror textcolor "#000000"
set grid xtics ytics linetype 1 linewidth 0.6 linecolor "#dddddd"
set multiplot

set label 1 "Errors of the integrators against the step" at screen 0.06, 0.97 font ",18"
set label 2 "shares of the swing and of its energy; dashed: orders 1 and 2; further down is better" \
  at screen 0.06, 0.935 textcolor "#444444"
do for [column = 2:3] {
  set tmargin at screen (column == 2 ? 0.84 : 0.42)
  set bmargin at screen (column == 2 ? 0.51 : 0.09)
  do for [n = 1:columns] {
    set lmargin at screen left(n)
    set rmargin at screen right(n)
    set title word(systems, n) . ": " . title_of(column) offset 0,-0.6 noenhanced
    set xlabel (column == 3 ? "step, seconds" : "")
    if (column == 2 && n == 1) {
      set key at screen 0.055, 0.918 left top samplen 1 maxrows 1 Left reverse noenhanced width -5.5 font ",13"
    } else {
      unset key
    }
    plot 2.0 * x with lines linecolor rgb 0xaaaaaa dashtype 2 notitle, \
         1.0 * x**2 with lines linecolor rgb 0xaaaaaa dashtype 2 notitle, \
         for [m in integrators] table index word(systems, n) . " " . m using 1:column \
           with linespoints pointtype shape(m) pointsize 0.7 linewidth 2 \
           linecolor rgb color(m) title legend(m)
    unset label 1
    unset label 2
  }
}
unset multiplot
