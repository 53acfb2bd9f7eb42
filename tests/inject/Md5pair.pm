# Defects between an md5mesh and its md5anim.
package Md5pair;
use v5.36;
use parent -norequire, 'Group';
use Group;
use Md5anim;
use Md5mesh;
use Space;

sub parse ($class, $mesh_bytes, $anim_bytes) {
    my $mesh = Md5mesh->parse($mesh_bytes) or return;
    my $anim = Md5anim->parse($anim_bytes) or return;
    my $joints = @{ $mesh->{joints}{lines} };
    return if $joints < 2 || $joints != @{ $anim->{hierarchy}{lines} } || $joints * @{ $anim->{frames} } > 1500;
    my $g = bless { parts => { md5mesh => $mesh, md5anim => $anim }, order => [qw(md5mesh md5anim)] }, $class;
    $g->{parents} = [ map { $mesh->word($_, 1) } @{ $mesh->{joints}{lines} } ];
    $g->{rich} = $mesh->{rich} && @{ $anim->{frames} } >= 3;
    return $g;
}

sub mesh ($g) { return $g->{parts}{md5mesh} }
sub anim ($g) { return $g->{parts}{md5anim} }
sub joint ($g, $i) { return $g->mesh->{joints}{lines}[$i] }
sub bone ($g, $i) { return $g->anim->{hierarchy}{lines}[$i] }
sub joints ($g) { return scalar @{ $g->{parents} } }
sub name ($g, $i) { return $g->mesh->word($g->joint($i), 0) =~ tr/"//dr }

# Expects findings at joint `i` of either file, or with its name.
sub at_joint ($g, @joints) {
    for my $i (@joints) {
        $g->mesh->right($g->joint($i));
        $g->anim->right($g->bone($i));
        $g->names($g->name($i));
    }
    return 1;
}

# ---- Poses -----------------------------------------------------------------------------------

sub mesh_pose ($g) {
    return map { my @w = $g->mesh->words($_); { pos => [ @w[ 3 .. 5 ] ], quat => Space::quat(@w[ 8 .. 10 ]) } } @{ $g->mesh->{joints}{lines} };
}

# Whether two poses differ enough for anybody to see.
sub differ ($one, $other) {
    for my $i (0 .. $#$one) {
        return 1 if Space::size(Space::minus($one->[$i]{pos}, $other->[$i]{pos})) > 0.1;
        return 1 if abs(Space::product(Space::inverse($one->[$i]{quat}), $other->[$i]{quat})->[3]) < 0.98;
    }
    return 0;
}

sub write_mesh_pose ($g, @pose) {
    my $mesh = $g->mesh;
    return if !differ([ $g->mesh_pose ], \@pose);
    for my $i (0 .. $#pose) {
        my @numbers = (@{ $pose[$i]{pos} }, Space::xyz($pose[$i]{quat}));
        my $line = $g->joint($i);
        $line->{text} = sprintf "\t%s %d ( %.10g %.10g %.10g ) ( %.10g %.10g %.10g )", ($mesh->words($line))[ 0, 1 ], @numbers;
    }
    return 1;
}

sub base_pose ($g) {
    return map { my @w = $g->anim->words($_); { pos => [ @w[ 1 .. 3 ] ], quat => Space::quat(@w[ 6 .. 8 ]) } } @{ $g->anim->{baseframe}{lines} };
}

sub frame_pose ($g, $frame) {
    my $anim = $g->anim;
    my @values = map { $anim->words($_) } @{ $frame->{lines} };
    my @base = map { [ ($anim->words($_))[ 1 .. 3, 6 .. 8 ] ] } @{ $anim->{baseframe}{lines} };
    return map {
        my @numbers = @{ $base[$_] };
        my ($flags, $at) = ($anim->words($g->bone($_)))[ 2, 3 ];
        for my $bit (0 .. 5) { $numbers[$bit] = $values[ $at++ ] if $flags & 1 << $bit }
        { pos => [ @numbers[ 0 .. 2 ] ], quat => Space::quat(@numbers[ 3 .. 5 ]) }
    } 0 .. $#base;
}

# Writes the animation with all components of `change` applied to each pose.
sub change_animation ($g, $change) {
    my $anim = $g->anim;
    my @old = map { [ $g->frame_pose($_) ] } @{ $anim->{frames} };
    my @frames = map { [ $change->(@$_) ] } @old;
    return if !grep { differ($old[$_], $frames[$_]) } 0 .. $#old;
    my @base = $change->($g->base_pose);
    $anim->{numAnimatedComponents}{text} = 'numAnimatedComponents ' . 6 * @base;
    for my $i (0 .. $#base) {
        my ($name, $parent) = $anim->words($g->bone($i));
        $g->bone($i)->{text} = "\t$name $parent 63 " . 6 * $i;
        $anim->{baseframe}{lines}[$i]{text} = sprintf "\t( %.10g %.10g %.10g ) ( %.10g %.10g %.10g )", numbers($base[$i]);
    }
    for my $i (grep { @{ $anim->{frames}[$_]{lines} } } 0 .. $#frames) {
        $anim->replace($anim->{frames}[$i], map { join ' ', "\t", map { sprintf '%.10g', $_ } numbers($_) } @{ $frames[$i] });
    }
    return 1;
}
sub numbers ($joint) { return (@{ $joint->{pos} }, Space::xyz($joint->{quat})) }

# Boxes of no size say nothing that could be wrong.
sub has_boxes ($g) {
    my @boxes = map { [ ($g->anim->words($_))[ 1 .. 3, 6 .. 8 ] ] } @{ $g->anim->{bounds}{lines} };
    return !grep { my $box = $_; !grep { $box->[$_] != $box->[ $_ + 3 ] } 0 .. 2 } @boxes;
}

sub change_boxes ($g, $change) {
    my $anim = $g->anim;
    for my $line (@{ $anim->{bounds}{lines} }) {
        my @w = $anim->words($line);
        my @box = $change->(@w[ 1 .. 3, 6 .. 8 ]);
        $line->{text} = sprintf "\t( %.10g %.10g %.10g ) ( %.10g %.10g %.10g )", @box;
    }
    return 1;
}

# Changes the positions of weights; `fits` is given the joint.
sub change_weights ($g, $fits, $change) {
    my $mesh = $g->mesh;
    for my $line (map { @{ $_->{weight}{lines} } } @{ $mesh->{meshes} }) {
        my @w = $mesh->words($line);
        next if !$fits->($w[2]);
        my $pos = $change->($w[2], [ @w[ 5 .. 7 ] ]);
        $line->{text} = sprintf "\tweight %d %d %s ( %.10g %.10g %.10g )", @w[ 1 .. 3 ], @$pos;
    }
    return 1;
}

sub any_joint ($g, $fits = sub ($i) { 1 }) { return $g->pick(grep { $fits->($_) } 0 .. $g->joints - 1) }

# ---- Kinds -----------------------------------------------------------------------------------

my @kinds;
sub kind ($name, $code, @options) { push @kinds, [ $name, $code, @options ] }

my %side = ('the animation' => sub ($g, $i) { ($g->anim, $g->bone($i)) }, 'the mesh' => sub ($g, $i) { ($g->mesh, $g->joint($i)) });
for my $where (sort keys %side) {
    kind "joint renamed in $where" => sub ($g) {
        my $i = $g->any_joint;
        $g->at_joint($i);
        my ($file, $line) = $side{$where}->($g, $i);
        return $file->put($line, 0, '"' . $g->pick('spare', 'x_' . $g->name($i)) . '"') && $g->name($i);
    };
    kind "joint with another parent in $where" => sub ($g) {
        my $i = $g->any_joint(sub ($i) { $i > 1 }) // return;
        my $parent = $g->random($i);
        return if $parent == $g->{parents}[$i];
        $g->at_joint($i);
        my ($file, $line) = $side{$where}->($g, $i);
        return $file->put($line, 1, $parent) && $g->name($i);
    };
}
kind 'joint name in the other case in the animation' => sub ($g) {
    my $i = $g->any_joint(sub ($i) { $g->name($i) =~ /[a-z]/ }) // return;
    $g->at_joint($i);
    return $g->anim->put($g->bone($i), 0, '"' . uc($g->name($i)) . '"') && $g->name($i);
};
kind 'names of two joints exchanged in the animation' => sub ($g) {
    my ($i, $j) = ($g->any_joint, $g->any_joint);
    return if $i == $j;
    $g->at_joint($i, $j);
    my @names = map { $g->anim->word($g->bone($_), 0) } $i, $j;
    $g->anim->put($g->bone($i), 0, $names[1]);
    return $g->anim->put($g->bone($j), 0, $names[0]) && "@names";
};
kind 'joint too many in the animation' => sub ($g) {
    my $anim = $g->anim;
    $anim->insert($anim->{hierarchy}{lines}[-1], "\t\"extra\" 0 0 0");
    $anim->insert($anim->{baseframe}{lines}[-1], "\t( 0 0 1 ) ( 0 0 0 )");
    $g->mesh->right($g->mesh->{numJoints});
    return $anim->add_to($anim->{numJoints}, 1, 1) && $g->names('extra') && 'extra';
};
kind 'joint too many in the mesh' => sub ($g) {
    my $mesh = $g->mesh;
    $mesh->insert($mesh->{joints}{lines}[-1], "\t\"extra\" 0 ( 0 0 1 ) ( 0 0 0 )");
    $g->anim->right($g->anim->{numJoints});
    return $mesh->add_to($mesh->{numJoints}, 1, 1) && $g->names('extra') && 'extra';
};

for my $by (2.54, 39.37, 0.01) {
    kind "mesh scaled by $by" => sub ($g) {
        $g->write_mesh_pose(map { { pos => Space::scaled($_->{pos}, $by), quat => $_->{quat} } } $g->mesh_pose) or return;
        return $g->change_weights(sub ($joint) { 1 }, sub ($joint, $pos) { Space::scaled($pos, $by) }) && "mesh times $by";
    }, 'rich';
    kind "animation scaled by $by" => sub ($g) {
        $g->change_boxes(sub (@box) { map { $by * $_ } @box });
        my $scaled = sub (@pose) { map { { pos => Space::scaled($_->{pos}, $by), quat => $_->{quat} } } @pose };
        return $g->change_animation($scaled) && "animation times $by";
    }, 'rich';
}
kind 'animation in model space' => sub ($g) { $g->change_animation(sub (@pose) { Space::to_model($g->{parents}, @pose) }) && 'all frames' }, 'rich';
kind "mesh in its parents' space" => sub ($g) { $g->write_mesh_pose(Space::to_parents($g->{parents}, $g->mesh_pose)) && 'all joints' }, 'rich';
my $inverted = sub (@pose) { return map { { pos => $_->{pos}, quat => Space::inverse($_->{quat}) } } @pose };
kind 'quaternions inverted in the animation' => sub ($g) { $g->change_animation($inverted) && 'all frames' }, 'rich';
kind 'quaternions inverted in the mesh' => sub ($g) { $g->write_mesh_pose($inverted->($g->mesh_pose)) && 'all joints' }, 'rich';
kind 'root turned by 90 degrees in the animation' => sub ($g) {
    my $turn = Space::quarter_turn($g->random(3));
    my $turned = sub ($root, @others) {
        return { pos => Space::rotate($turn, $root->{pos}), quat => Space::product($turn, $root->{quat}) }, @others;
    };
    return $g->change_animation($turned) && 'all frames';
}, 'rich';
kind 'one bone three times as long in the animation' => sub ($g) {
    my @local = Space::to_parents($g->{parents}, $g->mesh_pose);
    my $i = $g->any_joint(sub ($i) { $g->{parents}[$i] >= 0 && Space::size($local[$i]{pos}) > 1 && has_weights($g, $i) }) // return;
    $g->at_joint($i);
    $g->anim->right($g->anim->{baseframe}{lines}[$i]);
    return $g->change_animation(sub (@pose) { $pose[$i] = { %{ $pose[$i] }, pos => Space::scaled($pose[$i]{pos}, 3) }; @pose }) && $g->name($i);
}, 'rich';
for my $how ([ 'another sign', sub ($at) { -$at } ], [ 'its decimal point elsewhere', sub ($at) { 10 * $at } ]) {
    kind "baseframe coordinate with $how->[0]" => sub ($g) {
        my $anim = $g->anim;
        my $i = $g->any_joint(sub ($i) { $g->{parents}[$i] >= 0 && !($anim->word($g->bone($i), 2) & 7) && has_weights($g, $i) }) // return;
        my $line = $anim->{baseframe}{lines}[$i];
        my $k = 1 + $g->random(3);
        my $at = $anim->word($line, $k);
        return if !has_boxes($g) || abs $at < 1;
        $anim->right($line);
        return $anim->put($line, $k, sprintf '%.6f', $how->[1]->($at)) && $g->name($i) . ": $at";
    }, 'rich';
}
kind 'two baseframe lines exchanged' => sub ($g) {
    my $anim = $g->anim;
    my @fixed = grep { !($anim->word($g->bone($_), 2) & 7) } 0 .. $g->joints - 1;
    my $i = $g->any_joint(sub ($i) { $i + 1 < $g->joints && 2 == grep { ($_ == $i || $_ == $i + 1) && has_weights($g, $_) } @fixed }) // return;
    my @lines = @{ $anim->{baseframe}{lines} }[ $i, $i + 1 ];
    my @places = map { [ ($anim->words($_))[ 1 .. 3 ] ] } @lines;
    my $longest = (sort { $b <=> $a } map { Space::size($_) } @places)[0];
    return if @fixed < 8 || Space::size(Space::minus(@places)) < 0.1 * $longest || Space::size(Space::minus(@places)) < 0.5;
    $anim->right($_) for @lines;
    return $anim->exchange(@lines) && $g->name($i) . ' and the next';
}, 'rich';
sub has_weights ($g, $i) {
    return scalar grep { $g->mesh->word($_, 2) == $i } map { @{ $_->{weight}{lines} } } @{ $g->mesh->{meshes} };
}

# Boxes.
my %boxes = (
    halved => sub (@b) { map { my ($low, $high) = @b[ $_ % 3, $_ % 3 + 3 ]; ($low + $high) / 2 + ($_ < 3 ? -1 : 1) * ($high - $low) / 4 } 0 .. 5 },
    'with axes exchanged' => sub (@b) { @b[ 0, 2, 1, 3, 5, 4 ] },
    'of size zero' => sub (@b) { (0) x 6 },
    'moved by their size' => sub (@b) { map { $b[$_] + $b[ $_ % 3 + 3 ] - $b[ $_ % 3 ] } 0 .. 5 },
    'scaled by 2.54' => sub (@b) { map { $_ * 2.54 } @b },
    'scaled by 0.01' => sub (@b) { map { $_ * 0.01 } @b },
);
for my $how (sort keys %boxes) {
    kind "boxes $how" => sub ($g) {
        return if !has_boxes($g);
        $g->anim->right($g->anim->{bounds}{open}, @{ $g->anim->{bounds}{lines} });
        return $g->change_boxes($boxes{$how}) && 'all boxes';
    }, 'rich';
}

# Skin.
kind 'weights of one joint in model space' => sub ($g) {
    my $i = $g->any_joint(sub ($i) { has_weights($g, $i) }) // return;
    my $joint = ($g->mesh_pose)[$i];
    return if Space::size($joint->{pos}) < 1;
    $g->at_joint($i);
    $g->mesh->right(grep { $g->mesh->word($_, 2) == $i } map { @{ $_->{weight}{lines} } } @{ $g->mesh->{meshes} });
    return $g->change_weights(sub ($j) { $j == $i }, sub ($j, $pos) { Space::plus($joint->{pos}, Space::rotate($joint->{quat}, $pos)) }) && $g->name($i);
}, 'rich';
kind 'vertices scaled under unchanged joints' => sub ($g) {
    my $by = $g->pick(2.54, 39.37, 0.01);
    return in_model_space($g, sub ($at) { Space::scaled($at, $by) }) && "vertices times $by";
}, 'rich';
kind 'vertices turned under unchanged joints' => sub ($g) {
    my $turn = Space::quarter_turn($g->random(3));
    return in_model_space($g, sub ($at) { Space::rotate($turn, $at) }) && 'vertices turned';
}, 'rich';
sub in_model_space ($g, $change) {
    my @pose = $g->mesh_pose;
    return $g->change_weights(sub ($j) { 1 }, sub ($j, $pos) {
        my $at = $change->(Space::plus($pose[$j]{pos}, Space::rotate($pose[$j]{quat}, $pos)));
        return Space::rotate(Space::inverse($pose[$j]{quat}), Space::minus($at, $pose[$j]{pos}));
    });
}

# Two defects, of which one must not hide the other.
for my $other ([ 'NUL at the end', 'md5anim' ], [ 'numFrames one more', 'md5anim' ], [ 'triangle index = numverts', 'md5mesh' ], [ 'file twice', 'md5anim' ],
    [ 'decimal comma', 'md5anim' ], [ 'bounds line doubled', 'md5anim' ], [ 'baseframe line doubled', 'md5anim' ]) {
    my ($name, $part) = @$other;
    kind "halved boxes and $name" => sub ($g) {
        return if !has_boxes($g);
        $g->change_boxes($boxes{halved});
        @$g{qw(wanted also)} = (2, 1);
        my ($code) = map { $_->[1] } grep { $_->[0] eq $name } $part eq 'md5anim' ? Md5anim::kinds() : Md5mesh::kinds();
        return $code->($g->{parts}{$part});
    }, 'rich';
}

sub kinds () { return @kinds }

1;
