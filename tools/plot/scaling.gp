# speed-up by number of threads, measured and predicted, from the CSV of weft-bench scaling or tools/predict
set encoding utf8
set terminal svg size (inline == 2 ? 360 : 1040), (inline == 2 ? 340 : 460) font "sans-serif,14"
set output picture
set datafile separator "\t"

scene = system(sprintf("sed -n 's/^#= //p' '%s'", table))
most = system(sprintf("sed -n 's/^#most //p' '%s'", table)) + 0
has_predicted = system(sprintf("sed -n '/^# predicted/,$p' '%s' | sed -n '2{/./p}' | wc -l", table)) + 0
if (!inline) {
  set object 1 rectangle from screen 0,0 to screen 1,1 fillcolor rgb "#ffffff" fillstyle solid noborder behind
  set label 1 "Speed-up by number of threads: " . scene at screen 0.09, 0.96 font ",18" noenhanced
  set tmargin at screen 0.9
}
set xlabel "threads"
set ylabel "speed-up over one thread" offset 1,0
set xrange [0.5 : most + 0.5]
set yrange [0 : *]
if (most > 16) {
  set logscale xy 2
  set xrange [1 : most]
  set yrange [0.5 : *]
} else {
  set xtics 1
}
set border 3 linecolor "#555555"
set xtics nomirror
set ytics nomirror
set grid xtics ytics linetype 1 linewidth 0.6 linecolor "#dddddd"
set key top left samplen 1.5 Left reverse
set samples 200

line_color(b) = b == 1 ? 0x0072B2 : 0xD55E00
line_dash(b) = b == 1 ? 1 : 3
blocks = has_predicted ? "measured predicted" : "measured"
plot x linewidth 1.5 dashtype 2 linecolor "#909090" title "ideal", \
     table index 0 using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.9 linewidth 2 \
       linecolor "#0072B2" title "measured, with quartiles", \
     for [b = 1 : words(blocks)] table index (b - 1) using 1:2 with linespoints linewidth 2 \
       pointtype (b == 1 ? 7 : 6) dashtype line_dash(b) \
       linecolor rgb line_color(b) title (b == 1 ? "" : "predicted")
