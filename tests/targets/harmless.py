"""Rules about what no loader looks at, or what every one takes: shapes, motion, boxes, names of materials. From reading, and in
no executed case the cause of a refusal."""

HARMLESS = set("""
cross-bind-axes cross-bind-bone-length cross-bind-exchanged cross-bind-inverted cross-bind-one-bone cross-bind-scale
cross-bind-space
cross-bounds-loose cross-bounds-mesh cross-file-name cross-no-base md5-comment-own-line md5-float-overflow
md5-joint-name-case md5-joint-parent-comment md5-line-too-long md5-non-ascii md5-quat-overlength
md5anim-baseframe-frame0 md5anim-bounds-huge md5anim-bounds-inverted md5anim-bounds-jump md5anim-bounds-one-corner
md5anim-bounds-zero md5anim-frame-line-layout md5anim-frame-rate-form md5anim-frame-zero md5anim-joints-exchanged
md5anim-jump md5anim-loop-seam md5anim-num-components-sum md5anim-partial-flags-baseframe md5anim-place-far
md5anim-quat-flip md5anim-quat-overlength md5anim-start-index-gap md5anim-start-index-overlap md5mesh-bias-range
md5mesh-bias-zero md5mesh-bind-torn md5mesh-collapsed md5mesh-inside-out md5mesh-joint-depth-first md5mesh-joint-far
md5mesh-joint-misplaced md5mesh-joint-origin md5mesh-mesh-size md5mesh-mesh-turned md5mesh-shader-empty
md5mesh-shader-length md5mesh-shader-path md5mesh-tri-degenerate md5mesh-tri-duplicate md5mesh-tri-nonmanifold
md5mesh-tri-open-edge md5mesh-tri-winding md5mesh-tri-zero-area md5mesh-uv-pixels md5mesh-uv-range md5mesh-vert-far
md5mesh-vert-normal md5mesh-vert-torn md5mesh-vert-unused md5mesh-vert-weight-miscount md5mesh-vert-weight-skipped
def-anim-unused ignore-form ignore-unknown ignore-unused pack-shadowed md5mesh-weight-bind-divergence md5mesh-weight-joint-repeat md5mesh-weight-unused
""".split())
