# Defects between an illmesh, its illskel and an illanim.
package Illset;
use v5.36;
use parent -norequire, 'Group';
use Group;
use Ill;
use Space;

sub parse ($class, @bytes) {
    my @files = map { Ill->parse($_) } @bytes;
    return if @files != 3 || $files[1]{bones}{text} < 3 || !defined $files[0]{attributes}{bones};
    my $g = bless { order => [qw(illmesh illskel illanim)] }, $class;
    @{ $g->{parts} }{ @{ $g->{order} } } = @files;
    my %animated = map { $g->anim->named($_) => 1 } @{ $g->anim->{names}{lines} };
    $g->{both} = [ grep { $animated{ $g->name($_) } } 0 .. $g->bones - 1 ];
    $g->{rich} = $files[0]{rich};
    return $g;
}

sub mesh ($g) { return $g->{parts}{illmesh} }
sub skel ($g) { return $g->{parts}{illskel} }
sub anim ($g) { return $g->{parts}{illanim} }
sub bones ($g) { return $g->skel->{bones}{text} }
sub name ($g, $i) { return $g->skel->named($g->skel->{names}{lines}[$i]) }
sub parent ($g, $i) { return $g->skel->{parents}{lines}[$i]{text} + 0 }

# Vertices of an illmesh are in model space only: that a mesh was changed shows in where they are beside the bones, and
# of props, with few bones, they may be anywhere. Kinds are split by this; least.txt calls those of props hidden.
use constant BODY => 8;
sub is_body ($g) {
    return $g->{is_body} //= do {
        my ($mesh, %moved) = ($g->mesh);
        for my $i (0 .. $mesh->{vertices}{text} - 1) {
            my @bones = $mesh->words($mesh->attribute($i, 'bones'));
            my @weights = $mesh->words($mesh->attribute($i, 'weights'));
            $moved{ $bones[$_] } = 1 for grep { $weights[$_] > 0 } 0 .. 3;
        }
        keys %moved >= BODY ? 1 : 0;
    };
}

# The index of bone `i` of the skeleton in the animation.
sub track ($g, $i) {
    my $names = $g->anim->{names}{lines};
    return (grep { $g->anim->named($names->[$_]) eq $g->name($i) } 0 .. $#$names)[0];
}

# A bone of skeleton and animation. Findings are expected to name it.
sub any_bone ($g, $fits = sub ($i) { 1 }) {
    my $i = $g->pick(grep { $fits->($_) } @{ $g->{both} }) // return;
    $g->names($g->name($i));
    $g->skel->right($g->skel->{names}{lines}[$i]);
    $g->anim->right($g->anim->{names}{lines}[ $g->track($i) ]);
    return $i;
}

sub change ($line, @words) { $line->{text} = join ' ', map { sprintf '%.9g', $_ } @words; return 1 }

# Changes positions of the skeleton's matrices.
sub scale_skeleton ($g, $by) {
    my @rows = @{ $g->skel->{matrices}{lines} };
    for my $i (grep { $_ % 4 != 3 } 0 .. $#rows) {
        my @words = $g->skel->words($rows[$i]);
        change($rows[$i], @words[ 0 .. 2 ], $by * $words[3]);
    }
    return 1;
}

# Changes part 0 (position) or 1 (quaternion) of the keys of a track.
sub change_track ($g, $track, $part, $change) {
    my @lines = @{ $g->anim->{tracks}[$track]{lines} };
    for my $i (grep { $_ % 3 == $part } 0 .. $#lines) { change($lines[$i], $change->($g->anim->words($lines[$i]))) }
    return 1;
}
sub change_tracks ($g, $part, $change) {
    $g->change_track($_, $part, $change) for 0 .. $#{ $g->anim->{tracks} };
    return 1;
}

sub change_vertices ($g, $name, $change) {
    my $mesh = $g->mesh;
    for my $i (0 .. $mesh->{vertices}{text} - 1) {
        my $line = $mesh->attribute($i, $name);
        change($line, $change->($mesh->words($line)));
    }
    return 1;
}

# ---- Kinds -----------------------------------------------------------------------------------

my @kinds;
sub kind ($name, $code, @options) { push @kinds, [ $name, $code, @options ] }
sub kind_of_both ($name, $code, @options) {
    kind($name, sub ($g) { $g->is_body ? $code->($g) : undef }, @options);
    kind("$name, few bones", sub ($g) { $g->is_body ? undef : $code->($g) }, @options);
}

kind 'bone renamed in the animation' => sub ($g) {
    my $i = $g->any_bone // return;
    return $g->anim->put($g->anim->{names}{lines}[ $g->track($i) ], 0, $g->pick('spare', 'x_' . $g->name($i))) && $g->name($i);
};
kind 'bone renamed in the skeleton' => sub ($g) {
    my $i = $g->any_bone // return;
    my $name = $g->name($i);
    return $g->skel->put($g->skel->{names}{lines}[$i], 0, $g->pick('spare', "x_$name")) && $name;
};
kind 'bone name in the other case in the animation' => sub ($g) {
    my $i = $g->any_bone(sub ($i) { $g->name($i) =~ /[a-z]/ }) // return;
    return $g->anim->put($g->anim->{names}{lines}[ $g->track($i) ], 0, uc $g->name($i)) && $g->name($i);
};
# With the same bind pose, nothing shows which keys belong to which of the two.
sub matrix ($g, $i) { return map { $g->skel->words($_) } @{ $g->skel->{matrices}{lines} }[ 4 * $i .. 4 * $i + 2 ] }
sub alike ($g, $i, $j) {
    my ($one, $other) = ([ $g->matrix($i) ], [ $g->matrix($j) ]);
    return !grep { abs($one->[$_] - $other->[$_]) > 0.05 * (1 + abs $one->[$_]) } 0 .. $#$one;
}
kind_of_both 'names of two bones exchanged in the animation' => sub ($g) {
    my ($i, $j) = ($g->any_bone, $g->any_bone);
    return if $g->alike($i, $j);
    return $g->anim->exchange(@{ $g->anim->{names}{lines} }[ $g->track($i), $g->track($j) ]) && $g->name($i) . ' and ' . $g->name($j);
};
kind 'bone with another parent in the skeleton' => sub ($g) {
    my $i = $g->any_bone(sub ($i) { $i > 1 && $g->parent($i) >= 0 }) // return;
    my $parent = $g->random($i);
    return if $parent == $g->parent($i);
    return $g->skel->put($g->skel->{parents}{lines}[$i], 0, $parent) && $g->name($i);
};
for my $by (2.54, 39.37, 0.01) {
    kind "skeleton scaled by $by" => sub ($g) { $g->scale_skeleton($by) && "times $by" }, 'rich';
    kind "animation scaled by $by" => sub ($g) { $g->change_tracks(0, sub (@v) { map { $by * $_ } @v }) && "times $by" }, 'rich';
    my $either = $by < 1 ? \&kind : \&kind_of_both;
    $either->("mesh scaled by $by", sub ($g) { $g->change_vertices('position', sub (@v) { map { $by * $_ } @v }) && "times $by" }, 'rich');
}
# Half turns and no turns are their own inverse.
sub turns ($g) {
    return scalar grep { my @q = $g->anim->words($_->{lines}[1]); abs $q[3] > 0.1 && abs $q[3] < 0.98 } @{ $g->anim->{tracks} };
}
kind 'quaternions inverted in the animation' => sub ($g) {
    return turns($g) && $g->change_tracks(1, sub (@v) { (map { -$_ } @v[ 0 .. 2 ]), $v[3] }) && 'all keys';
}, 'rich';
kind 'w of the quaternions first in the animation' => sub ($g) { $g->change_tracks(1, sub (@v) { @v[ 3, 0 .. 2 ] }) && 'all keys' }, 'rich';
kind 'root turned by 90 degrees in the animation' => sub ($g) {
    my $i = $g->any_bone(sub ($i) { my $parent = $g->parent($i); $parent < 0 || $parent == $i }) // return;
    my $turn = Space::quarter_turn($g->random(3));
    $g->change_track($g->track($i), 0, sub (@v) { @{ Space::rotate($turn, \@v) } });
    return $g->change_track($g->track($i), 1, sub (@v) { @{ Space::product($turn, \@v) } }) && $g->name($i);
}, 'rich';
# Other bones may be anywhere, such as tags for weapons.
sub has_weights ($g, $bone) {
    my $mesh = $g->mesh;
    return scalar grep {
        my @bones = $mesh->words($mesh->attribute($_, 'bones'));
        my @weights = $mesh->words($mesh->attribute($_, 'weights'));
        grep { $bones[$_] == $bone && $weights[$_] > 0 } 0 .. 3;
    } 0 .. $mesh->{vertices}{text} - 1;
}
kind_of_both 'one bone three times as long in the animation' => sub ($g) {
    my $i = $g->any_bone(sub ($i) { $g->parent($i) >= 0 && $g->parent($i) != $i && $g->has_weights($i) }) // return;
    my $key = $g->anim->{tracks}[ $g->track($i) ]{lines}[0];
    return if Space::size([ $g->anim->words($key) ]) < 1;
    return $g->change_track($g->track($i), 0, sub (@v) { map { 3 * $_ } @v }) && $g->name($i);
}, 'rich';
kind 'all matrices transposed in the skeleton' => sub ($g) {
    my @rows = @{ $g->skel->{matrices}{lines} };
    my $differs = 0;
    for my $bone (0 .. $g->bones - 1) {
        my @v = map { [ $g->skel->words($_) ] } @rows[ 4 * $bone .. 4 * $bone + 3 ];
        $differs ||= abs($v[0][1] - $v[1][0]) + abs($v[0][2] - $v[2][0]) + abs($v[1][2] - $v[2][1]) > 0.1;
        for my $row (0 .. 2) { change($rows[ 4 * $bone + $row ], (map { $v[$_][$row] } 0 .. 2), $v[$row][3]) }
    }
    return $differs ? 'all bones' : undef;
}, 'rich';
kind 'bone index = number of bones in the mesh' => sub ($g) {
    my $line = $g->mesh->any_attribute('bones') or return;
    return $g->mesh->put($line, 0, $g->bones + 0) && $g->mesh->named($line);
};
kind_of_both 'all bone indices one more in the mesh' => sub ($g) { $g->change_vertices('bones', sub (@v) { map { ($_ + 1) % $g->bones } @v }) && 'all vertices' }, 'rich';
kind_of_both 'mesh turned by 90 degrees' => sub ($g) {
    my $turn = Space::quarter_turn($g->random(3));
    for my $name (grep { defined $g->mesh->{attributes}{$_} } qw(position normal tangent bitangent)) {
        $g->change_vertices($name, sub (@v) { @{ Space::rotate($turn, \@v) } });
    }
    return 'all vertices';
}, 'rich';
kind 'mesh moved by 1000' => sub ($g) { $g->change_vertices('position', sub (@v) { ($v[0] + 1000, @v[ 1, 2 ]) }) && 'all vertices' }, 'rich';

sub kinds () { return @kinds }

1;
