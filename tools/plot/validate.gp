# errors against closed forms, over their tolerances, from the JSON of weft-bench validate
#
# Reads validate.awk's table. Blue checks hold, orange ones are missed: Okabe and Ito's colours.
set encoding utf8
set terminal svg size (inline == 2 ? 360 : 1040), (inline == 2 ? 460 : 620) font "sans-serif,14"
set output picture
set datafile separator "\t"

if (!inline) {
  set object 1 rectangle from screen 0,0 to screen 1,1 fillcolor rgb "#ffffff" fillstyle solid noborder behind
  set label 1 "Error over tolerance" at screen 0.09, 0.96 font ",18"
  set label 2 "each check of weft-bench validate; below 1 it holds" \
    at screen 0.09, 0.92 textcolor "#444444" noenhanced
  set tmargin at screen 0.88
}
set bmargin 6
set logscale y
set yrange [0.008:1200]
set format y "%g"
set ylabel "error / tolerance" offset 1,0
set border 3 linecolor "#555555"
set xtics nomirror rotate by 45 right noenhanced scale 0
set ytics nomirror
set grid ytics linetype 1 linewidth 0.6 linecolor "#dddddd"
stats table index 1 using 1 nooutput
set xrange [0.4:STATS_max + 0.6]
set key off

plot 1 with lines linecolor rgb 0x555555, \
     table index 0 using 1:($3 == 1 ? $2 : 1/0) with points pointtype 7 pointsize 0.5 linecolor rgb 0x0072B2, \
     table index 0 using 1:($3 == 0 ? $2 : 1/0) with points pointtype 7 pointsize 0.5 linecolor rgb 0xD55E00, \
     table index 1 using 1:(1):xtic(2) with points pointtype 0 linecolor rgb 0xFFFFFF
