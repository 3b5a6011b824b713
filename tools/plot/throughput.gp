# link solves a second, of weft and of the serial loops, for each scene
#
# Reads throughput.awk's table. The colours are Okabe and Ito's, which readers who see colours
# differently can tell apart; grey stands for the serial loops.
set encoding utf8
set terminal svg size 1040,560 font "sans-serif,14" background "#ffffff"
set output picture
set datafile separator "\t"

scenes = system(sprintf("wc -l < '%s'", table)) + 0
many = system(sprintf("head -n 1 '%s' | cut -f 10", table)) + 0
many_title = many > 0 ? sprintf("weft, %d threads", many) : "" # an empty one has no legend
bar = 0.21

set label 1 "Link solves per second" at screen 0.07, 0.955 font ",18"
set label 2 "above each bar: times the serial loop in natural order" at screen 0.07, 0.905 \
  textcolor "#444444"
set ylabel "billion link solves per second" offset 1,0
set xrange [-0.5 : scenes - 0.5]
set yrange [0 : *]
set offsets 0, 0, graph 0.08, 0
set border 3 linecolor "#555555"
set xtics nomirror scale 0 offset 0,-0.2 textcolor "#000000"
set ytics nomirror textcolor "#000000"
set grid ytics linetype 1 linewidth 0.6 linecolor "#dddddd"
set tmargin at screen 0.80
set bmargin at screen 0.13
set lmargin at screen 0.07
set rmargin at screen 0.98
set key at screen 0.985, 0.975 samplen 1.5 spacing 1.1 maxrows 2 width -3 Left reverse
set style fill solid 1.0 noborder
set boxwidth bar * 0.92

plot table using ($0 - 1.5 * bar):3 with boxes linecolor "#b5b5b5" title "serial, natural order", \
     "" using ($0 - 0.5 * bar):4 with boxes linecolor "#707070" title "serial, colour order", \
     "" using ($0 + 0.5 * bar):5 with boxes linecolor "#E69F00" title "weft, 1 thread", \
     "" using ($0 + 1.5 * bar):6 with boxes linecolor "#0072B2" title many_title, \
     "" using ($0 - 1.5 * bar):3:($3 > 0 ? "1×" : "") \
       with labels offset 0,0.7 notitle, \
     "" using ($0 - 0.5 * bar):4:7 with labels offset 0,0.7 notitle, \
     "" using ($0 + 0.5 * bar):5:8 with labels offset 0,0.7 notitle, \
     "" using ($0 + 1.5 * bar):6:9 with labels offset 0,0.7 notitle, \
     "" using 0:(0):xtic(stringcolumn(1) . "\n" . stringcolumn(2)) with points pointtype 0 notitle
