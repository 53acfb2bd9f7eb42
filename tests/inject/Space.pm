# Rotations and poses, as far as defects between files need them. A quaternion is [x, y, z, w], a pose a list of
# { pos, quat }, one for each joint.
package Space;
use v5.36;

# MD5 leaves w out and means a negative one.
sub quat (@xyz) {
    my $rest = 1 - $xyz[0]**2 - $xyz[1]**2 - $xyz[2]**2;
    return [ @xyz, $rest > 0 ? -sqrt $rest : 0 ];
}

# x, y and z of the same rotation with a negative w.
sub xyz ($q) { return map { $q->[3] > 0 ? -$_ : $_ } @$q[ 0 .. 2 ] }

sub product ($p, $q) {
    my ($a, $b, $c, $d) = @$p;
    my ($x, $y, $z, $w) = @$q;
    return [
        $d * $x + $a * $w + $b * $z - $c * $y,
        $d * $y - $a * $z + $b * $w + $c * $x,
        $d * $z + $a * $y - $b * $x + $c * $w,
        $d * $w - $a * $x - $b * $y - $c * $z,
    ];
}

sub inverse ($q) { return [ (map { -$_ } @$q[ 0 .. 2 ]), $q->[3] ] }
sub rotate ($q, $v) { return [ @{ product(product($q, [ @$v, 0 ]), inverse($q)) }[ 0 .. 2 ] ] }
sub quarter_turn ($axis) { return [ (map { $_ == $axis ? sqrt 0.5 : 0 } 0 .. 2), sqrt 0.5 ] }
sub plus ($v, $w) { return [ map { $v->[$_] + $w->[$_] } 0 .. 2 ] }
sub minus ($v, $w) { return [ map { $v->[$_] - $w->[$_] } 0 .. 2 ] }
sub scaled ($v, $by) { return [ map { $by * $_ } @$v ] }
sub size ($v) { return sqrt $v->[0]**2 + $v->[1]**2 + $v->[2]**2 }

sub from_parent ($parent, $joint) {
    my $back = inverse($parent->{quat});
    return { pos => rotate($back, minus($joint->{pos}, $parent->{pos})), quat => product($back, $joint->{quat}) };
}

# From the parents' space to the model's, and back.
sub to_model ($parents, @pose) {
    for my $i (0 .. $#pose) {
        my $parent = $parents->[$i] >= 0 ? $pose[ $parents->[$i] ] : next;
        $pose[$i] = { pos => plus($parent->{pos}, rotate($parent->{quat}, $pose[$i]{pos})), quat => product($parent->{quat}, $pose[$i]{quat}) };
    }
    return @pose;
}
sub to_parents ($parents, @pose) {
    return map { $parents->[$_] >= 0 ? from_parent($pose[ $parents->[$_] ], $pose[$_]) : $pose[$_] } 0 .. $#pose;
}

1;
