# Turns an OBJ file of weft-sim into a POV-Ray scene's input. Faces are the mesh `cloth`, with a normal
# at each point: the mean of its faces' by area. Lines are the array `limbs` of pairs of indices of
# the array `places`. POV-Ray's axes are left-handed: z is negated, and faces are listed the other
# way round.
$1 == "v" { x[++points] = $2; y[points] = $3; z[points] = -$4 }

$1 == "l" { from[++lines] = $2; to[lines] = $3 }

$1 == "f" {
  a[++faces] = $2; b[faces] = $3; c[faces] = $4
  ux = x[$3] - x[$2]; uy = y[$3] - y[$2]; uz = z[$3] - z[$2]
  vx = x[$4] - x[$2]; vy = y[$4] - y[$2]; vz = z[$4] - z[$2]
  for (i = 2; i <= 4; ++i) {
    nx[$i] += vy * uz - vz * uy; ny[$i] += vz * ux - vx * uz; nz[$i] += vx * uy - vy * ux
  }
}

function place(i) { return "<" x[i] "," y[i] "," z[i] ">" }

function write_cloth() {
  printf "#declare cloth = mesh2 {\nvertex_vectors { %d", points
  for (i = 1; i <= points; ++i) printf ",\n%s", place(i)
  printf "}\nnormal_vectors { %d", points
  for (i = 1; i <= points; ++i) {
    # a particle that no face is left of has no normal, and none is used
    printf ",\n<%.6g,%.6g,%.6g>", nx[i], ny[i], nz[i] + (nx[i] == 0 && ny[i] == 0 && nz[i] == 0)
  }
  printf "}\nface_indices { %d", faces
  for (i = 1; i <= faces; ++i) printf ",\n<%d,%d,%d>", a[i] - 1, c[i] - 1, b[i] - 1
  print "}\n}"
}

function write_limbs() {
  printf "#declare places = array[%d] { %s", points, place(1)
  for (i = 2; i <= points; ++i) printf ",\n%s", place(i)
  printf "}\n#declare limbs = array[%d][2] { {%d,%d}", lines, from[1] - 1, to[1] - 1
  for (i = 2; i <= lines; ++i) printf ",\n{%d,%d}", from[i] - 1, to[i] - 1
  print "}"
}

END {
  if (faces > 0) write_cloth()
  if (lines > 0) write_limbs()
}
