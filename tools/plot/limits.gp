# link solves a second by size of a sheet, below the measured roofs, from the JSON of weft-bench limits
set encoding utf8
set terminal svg size (inline == 2 ? 360 : 1040), (inline == 2 ? 400 : 480) font "sans-serif,14"
set output picture
set datafile separator "\t"

read(name) = system(sprintf("sed -n 's/^#%s //p' '%s'", name, table))
threads = read("threads")
most = word(threads, words(threads)) + 0
l1 = read("l1") + 0
l2 = read("l2") + 0
memory = read("memory") + 0
if (!inline) {
  set object 1 rectangle from screen 0,0 to screen 1,1 fillcolor rgb "#ffffff" fillstyle solid noborder behind
  set label 1 "Link solves per second, and the roofs of this machine" at screen 0.09, 0.96 font ",18"
  set tmargin at screen 0.9
}
set xlabel "particles of the sheet"
set ylabel "billion link solves per second" offset 1,0
set logscale xy
set format x "10^{%L}"
set yrange [0.3 : *]
set border 3 linecolor "#555555"
set xtics nomirror
set ytics nomirror
set grid xtics ytics linetype 1 linewidth 0.6 linecolor "#dddddd"
if (inline == 2) {
  set bmargin at screen 0.45
  set key at screen 0.97, 0.29 samplen 1.5 Left reverse font ",12"
} else {
  set bmargin at screen 0.25
  set key at screen 0.9, 0.12 samplen 1.5 maxrows 2 Left reverse
}
color(i) = i == 1 ? 0xE69F00 : i == 2 ? 0x0072B2 : 0x009E73

plot most * l1 linewidth 1.5 linecolor "#009E73" \
       title sprintf("kernel in L1, %d threads", most), \
     most * l2 linewidth 1.5 dashtype 2 linecolor "#009E73" \
       title sprintf("kernel in L2, %d threads", most), \
     memory linewidth 1.5 dashtype 4 linecolor "#CC79A7" title "memory, each sweep", \
     for [i = 1 : words(threads)] table index (i - 1) using 1:2 with linespoints pointtype 7 \
       linewidth 2 linecolor rgb color(i) \
       title sprintf("sheets, %s thread%s", word(threads, i), word(threads, i) eq "1" ? "" : "s")
