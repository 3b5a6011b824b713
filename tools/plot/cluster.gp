# predicted efficiency by number of ranks, from the CSV of tools/predict cluster
set encoding utf8
set terminal svg size (inline == 2 ? 360 : 1040), (inline == 2 ? 340 : 460) font "sans-serif,14"
set output picture
set datafile separator "\t"

scene = system(sprintf("sed -n 's/^#= //p' '%s'", table))
blocks = system(sprintf("sed -n 's/^#blocks //p' '%s'", table)) + 0
most = system(sprintf("sed -n 's/^#most //p' '%s'", table)) + 0
if (!inline) {
  set object 1 rectangle from screen 0,0 to screen 1,1 fillcolor rgb "#ffffff" fillstyle solid noborder behind
  set label 1 "Predicted efficiency: " . scene at screen 0.09, 0.96 font ",18" noenhanced
  set tmargin at screen 0.9
}
set xlabel "ranks"
set ylabel "efficiency over one rank, %" offset 1,0
set logscale x 2
set xrange [* : most * 1.1]
set yrange [0 : 108]
set border 3 linecolor "#555555"
set xtics nomirror
set ytics nomirror
set grid xtics ytics linetype 1 linewidth 0.6 linecolor "#dddddd"
set key outside right top samplen 1.5 Left reverse noenhanced

# colour-blind safe (Okabe and Ito 2008); sheets differ by their dashes
colors = "#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9"
networks = blocks > 5 ? blocks / 2 : blocks
color_of(b) = word(colors, (b - 1) % networks % 6 + 1)
dash_of(b) = b > networks ? 3 : 1
title_of(b) = system(sprintf("sed -n 's/^# \"\\(.*\\)\"/\\1/p' '%s' | sed -n %dp", table, b))
plot for [b = 1 : blocks] table index (b - 1) using 1:2 with linespoints linewidth 2 \
  pointtype 7 pointsize 0.7 dashtype dash_of(b) \
  linecolor rgb color_of(b) title title_of(b)
