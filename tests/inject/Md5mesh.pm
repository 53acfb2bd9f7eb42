# Defects of an md5mesh.
package Md5mesh;
use v5.36;
use parent -norequire, 'Text';
use Text;
use TextKinds;

# Words of each record, so that kinds can name them.
use constant { VERT_START => 6, VERT_COUNT => 7, WEIGHT_JOINT => 2, WEIGHT_BIAS => 3, WEIGHT_X => 5, TRI => 2, JOINT_X => 3, JOINT_QUAT => 8 };
my $number = qr/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/;
my $triple = qr/\(\s*$number\s+$number\s+$number\s*\)/;
my %record = (
    vert   => qr/^vert\s+\d+\s+\(\s*$number\s+$number\s*\)\s+\d+\s+\d+$/,
    tri    => qr/^tri\s+\d+\s+\d+\s+\d+\s+\d+$/,
    weight => qr/^weight\s+\d+\s+\d+\s+$number\s+$triple$/,
);

# Reads a file that has one record a line; returns nothing for others.
sub parse ($class, $bytes) {
    my $m = Text::new($class, $bytes) or return;
    @$m{qw(joints meshes blocks)} = ({ lines => [] }, [], []);
    my $block;
    for my $line (@{ $m->{lines} }) {
        my $text = $line->{text} =~ s{//.*}{}r =~ s/^\s+|\s+$//gr;
        next if $text eq '' || $text =~ /^commandline\s+"[^"]*"$/;
        if ($text eq '}' && $block) { $block->{close} = $line; undef $block }
        elsif ($block) { $m->read_record($block, $line, $text) or return }
        elsif ($text =~ /^(MD5Version|numJoints|numMeshes)\s+\d+$/) { $m->{$1} = $line }
        elsif ($text =~ /^(joints|mesh)\s*\{$/) { $block = $m->open_block($1, $line) }
        else { return }
    }
    return !$block && $m->finish ? $m : ();
}

sub open_block ($m, $what, $line) {
    my $block = { open => $line, counts => [] };
    push @{ $m->{blocks} }, $block;
    if ($what eq 'joints') { $m->{joints}{block} = $block }
    else { push @{ $m->{meshes} }, { block => $block, map { $_ => { lines => [], block => $block } } qw(vert tri weight) } }
    return $block;
}

sub read_record ($m, $block, $line, $text) {
    if ($block == ($m->{joints}{block} // 0)) {
        return $text =~ /^"[^"]*"\s+-?\d+\s+$triple\s+$triple$/ && push @{ $m->{joints}{lines} }, $line;
    }
    my $mesh = $m->{meshes}[-1];
    return $mesh->{shader} = $line if $text =~ /^shader\s+"[^"]*"$/;
    if ($text =~ /^num(vert|tri|weight)s\s+\d+$/) {
        push @{ $block->{counts} }, $line;
        return $mesh->{$1}{count} = $line;
    }
    my ($what) = $text =~ /^(\w+)/;
    return $what && $record{$what} && $text =~ $record{$what} && push @{ $mesh->{$what}{lines} }, $line;
}

# Joins what was read: the data lines, and the counts of the header. False if something is missing.
sub finish ($m) {
    return if grep { !$m->{$_} } qw(MD5Version numJoints numMeshes);
    return if !$m->{joints}{block} || !@{ $m->{meshes} };
    $m->{joints}{count} = $m->{numJoints};
    $m->{counts} = [ @$m{qw(numJoints numMeshes)} ];
    my @lists = map { @$_{qw(vert tri weight)} } @{ $m->{meshes} };
    return if grep { !$_->{count} } @lists, map { { count => $_->{shader} } } @{ $m->{meshes} };
    $m->{data} = [ @{ $m->{joints}{lines} }, map { @{ $_->{lines} } } @lists ];
    $m->{rich} = grep { @{ $_->{tri}{lines} } >= 60 } @{ $m->{meshes} };
    return 1;
}

# ---- Choosing --------------------------------------------------------------------------------

# A list of records that is not empty: the joints, or those of one mesh.
sub list ($m, $what) {
    return $m->{joints} if $what eq 'joint';
    return $m->pick(grep { @{ $_->{lines} } } map { $_->{$what} } @{ $m->{meshes} });
}

# A random record of a kind, or one of those that fit.
sub record ($m, $what, $fits = sub ($line) { 1 }) {
    my $list = $m->list($what) or return;
    return $m->pick(grep { $fits->($_) } @{ $list->{lines} });
}

sub named ($m, $line) { return $line->{text} =~ s/^\s+|\s+$//gr }
sub number_of ($m, $count) { return $m->word($count, 1) }

# A random vertex whose mesh has a surface to compare it with; its weights.
sub skinned_vert ($m, $fits) {
    my $mesh = $m->pick(grep { @{ $_->{tri}{lines} } >= 60 } @{ $m->{meshes} }) or return;
    my %used = map { $_ => 1 } map { ($m->words($_))[ TRI .. TRI + 2 ] } @{ $mesh->{tri}{lines} };
    my $vert = $m->pick(grep { $used{ $m->word($_, 1) } && $fits->($m->word($_, VERT_COUNT)) } @{ $mesh->{vert}{lines} }) or return;
    my ($start, $count) = ($m->words($vert))[ VERT_START, VERT_COUNT ];
    my @weights = @{ $mesh->{weight}{lines} }[ $start .. $start + $count - 1 ];
    $m->right($vert);
    return ($mesh, $vert, @weights);
}

# How many vertices each joint has: `shared` ones have weights on other joints, too.
sub vertices_of_joints ($m) {
    my @found = map { { shared => 0, own => 0 } } @{ $m->{joints}{lines} };
    for my $mesh (@{ $m->{meshes} }) {
        for my $vert (@{ $mesh->{vert}{lines} }) {
            my ($start, $count) = ($m->words($vert))[ VERT_START, VERT_COUNT ];
            my @weights = @{ $mesh->{weight}{lines} }[ $start .. $start + $count - 1 ];
            my %joints = map { $m->word($_, WEIGHT_JOINT) => 1 } grep { $m->word($_, WEIGHT_BIAS) > 0.05 } @weights;
            $found[$_]{ keys %joints > 1 ? 'shared' : 'own' }++ for keys %joints;
        }
    }
    return @found;
}

# A random joint whose vertices fit. If a single joint has all of them, the whole model goes along with it.
sub skinned_joint ($m, $fits) {
    my @vertices = $m->vertices_of_joints;
    return if 2 > grep { $_->{own} || $_->{shared} } @vertices;
    my $i = $m->pick(grep { $fits->($vertices[$_]) } 0 .. $#vertices) // return;
    return $m->{joints}{lines}[$i];
}

# ---- Kinds -----------------------------------------------------------------------------------

my @kinds = (
    TextKinds::kinds(),
    TextKinds::md5_kinds(
        sub ($m) { @$m{qw(MD5Version numJoints numMeshes)}, map { $_->{open}, @{ $_->{counts} } } @{ $m->{blocks} } },
        sub ($m) { @{ $m->{joints}{lines} }, map { $_->{shader} } @{ $m->{meshes} } },
    ),
);
sub kind ($name, $code, @options) { push @kinds, [ $name, $code, @options ] }

for my $what (qw(joint vert tri weight)) {
    kind "$what line dropped" => sub ($m) {
        my $list = $m->list($what) or return;
        return if @{ $list->{lines} } < 2;
        my $line = $m->pick(@{ $list->{lines} });
        $m->right($m->around_list($list));
        return $m->drop($line) && $m->named($line);
    };
    kind "$what line doubled" => sub ($m) {
        my $list = $m->list($what) or return;
        my $line = $m->pick(@{ $list->{lines} });
        $m->right($m->around_list($list));
        return $m->double($line) && $m->named($line);
    };
    for my $by (1, -1) {
        kind 'num' . ($what eq 'joint' ? 'Joint' : $what) . 's ' . ($by > 0 ? 'one more' : 'one less') => sub ($m) {
            my $list = $m->list($what) or return;
            $m->right($m->around_list($list));
            return $m->add_to($list->{count}, 1, $by) && $m->named($list->{count});
        };
    }
}

# Words of a random record.
kind 'parenthesis removed' => sub ($m) {
    my $line = $m->record($m->pick(qw(joint vert weight))) or return;
    my @words = $m->words($line);
    my $i = $m->pick(grep { $words[$_] =~ /[()]/ } 0 .. $#words) // return;
    return $m->cut_word($line, $i) && $m->named($line);
};
kind 'a column too many' => sub ($m) {
    my $line = $m->record($m->pick(qw(joint vert tri weight))) or return;
    return $m->add_word($line, scalar($m->words($line)) - 1, $m->random(3)) && $m->named($line);
};
kind 'a column missing' => sub ($m) {
    my $line = $m->record($m->pick(qw(joint vert tri weight))) or return;
    my @words = $m->words($line);
    return $m->cut_word($line, $#words - ($words[-1] eq ')')) && $m->named($line);
};
kind 'two lines of a list exchanged' => sub ($m) {
    my $list = $m->list($m->pick(qw(vert tri weight))) or return;
    my $i = $m->pick_pair(@{ $list->{lines} }) // return;
    return $m->exchange(@{ $list->{lines} }[ $i, $i + 1 ]) && $m->named($list->{lines}[$i]);
};
kind 'index of a record wrong' => sub ($m) {
    my $line = $m->record($m->pick(qw(vert tri weight))) or return;
    return $m->add_to($line, 1, $m->pick(1, 2, 10)) && $m->named($line);
};
kind 'keyword of a record misspelt' => sub ($m) {
    my $what = $m->pick(qw(vert tri weight));
    my $line = $m->record($what) or return;
    return $m->put($line, 0, $m->pick(ucfirst $what, substr($what, 0, -1), "${what}s")) && $m->named($line);
};
kind 'count line of a mesh dropped' => sub ($m) {
    my $list = $m->list($m->pick(qw(vert tri weight))) or return;
    my $text = $m->named($list->{count});
    $m->right($m->around_list($list));
    return $m->drop($list->{count}) && $text;
};

for my $by (1, -1) {
    kind 'numMeshes ' . ($by > 0 ? 'one more' : 'one less') => sub ($m) {
        my @blocks = @{ $m->{blocks} };
        $m->right(@{ $blocks[-1] }{qw(open close)}, $m->last_line);
        return $m->add_to($m->{numMeshes}, 1, $by) && $m->named($m->{numMeshes});
    };
}
kind 'numJoints negative' => sub ($m) { $m->put($m->{numJoints}, 1, '-1') && 'numJoints -1' };

# References to other records.
kind 'triangle index = numverts' => sub ($m) { tri_index($m, sub ($mesh) { $m->number_of($mesh->{vert}{count}) }) };
kind 'triangle index = -1' => sub ($m) { tri_index($m, sub ($mesh) { -1 }) };
kind 'triangle index with a point' => sub ($m) { tri_index($m, sub ($mesh) { '1.5' }) };
sub tri_index ($m, $value) {
    my $mesh = $m->pick(grep { @{ $_->{tri}{lines} } } @{ $m->{meshes} }) or return;
    my $tri = $m->pick(@{ $mesh->{tri}{lines} });
    return $m->put($tri, TRI + $m->random(3), $value->($mesh)) && $m->named($tri);
}
kind "weight's joint = numJoints" => sub ($m) {
    my $weight = $m->record('weight') or return;
    return $m->put($weight, WEIGHT_JOINT, $m->number_of($m->{numJoints})) && $m->named($weight);
};
kind "weight's joint = -1" => sub ($m) {
    my $weight = $m->record('weight') or return;
    return $m->put($weight, WEIGHT_JOINT, -1) && $m->named($weight);
};
kind 'startWeight = numweights' => sub ($m) {
    my $mesh = $m->pick(grep { @{ $_->{vert}{lines} } } @{ $m->{meshes} }) or return;
    my $vert = $m->pick(@{ $mesh->{vert}{lines} });
    return $m->put($vert, VERT_START, $m->number_of($mesh->{weight}{count})) && $m->named($vert);
};
kind 'startWeight off by one' => sub ($m) {
    my $vert = $m->record('vert') or return;
    my $by = $m->pick(1, -1);
    return if $by + $m->word($vert, VERT_START) < 0;
    return $m->add_to($vert, VERT_START, $by) && $m->named($vert);
};
kind 'startWeight and countWeight exchanged' => sub ($m) {
    my $vert = $m->record('vert', sub ($line) { my @w = $m->words($line); $w[VERT_START] != $w[VERT_COUNT] }) or return;
    my ($start, $count) = ($m->words($vert))[ VERT_START, VERT_COUNT ];
    $m->put($vert, VERT_START, $count);
    return $m->put($vert, VERT_COUNT, $start) && $m->named($vert);
};
for my $change ([ 'countWeight 0', sub ($n) { 0 } ], [ 'countWeight one more', sub ($n) { $n + 1 } ], [ 'countWeight one less', sub ($n) { $n - 1 } ]) {
    kind $change->[0] => sub ($m) {
        my $less = $change->[0] =~ /less/;
        my $vert = $m->record('vert', sub ($line) { !$less || $m->word($line, VERT_COUNT) > 1 }) or return;
        return $m->put($vert, VERT_COUNT, $change->[1]->($m->word($vert, VERT_COUNT))) && $m->named($vert);
    };
}

# Weights.
for my $change ([ 'bias 0.5 for 1', '0.5' ], [ 'bias 1.5 for 1', '1.5' ], [ 'bias 100 for 1', '100' ]) {
    kind $change->[0] => sub ($m) {
        my ($vert, @weights) = weighted($m, sub ($count) { $count == 1 }) or return;
        return if $m->word($weights[0], WEIGHT_BIAS) != 1;
        return $m->put($weights[0], WEIGHT_BIAS, $change->[1]) && $m->named($weights[0]);
    };
}
kind 'bias negative' => sub ($m) {
    my $weight = $m->record('weight', sub ($line) { $m->word($line, WEIGHT_BIAS) > 0.05 }) or return;
    return $m->put($weight, WEIGHT_BIAS, '-' . $m->word($weight, WEIGHT_BIAS)) && $m->named($weight);
};
kind 'one bias of several is 0' => sub ($m) {
    my ($vert, @weights) = weighted($m, sub ($count) { $count > 1 }) or return;
    my $weight = $m->pick(grep { $m->word($_, WEIGHT_BIAS) > 0.05 } @weights) or return;
    return $m->put($weight, WEIGHT_BIAS, 0) && $m->named($weight);
};
kind 'joint and bias of a weight exchanged' => sub ($m) {
    my $weight = $m->record('weight', sub ($line) { my @w = $m->words($line); $w[WEIGHT_JOINT] != $w[WEIGHT_BIAS] }) or return;
    my ($joint, $bias) = ($m->words($weight))[ WEIGHT_JOINT, WEIGHT_BIAS ];
    $m->put($weight, WEIGHT_JOINT, $bias);
    return $m->put($weight, WEIGHT_BIAS, $joint) && $m->named($weight);
};
sub weighted ($m, $fits) {
    my $mesh = $m->pick(@{ $m->{meshes} });
    my %uses;
    for my $vert (@{ $mesh->{vert}{lines} }) {
        my ($start, $count) = ($m->words($vert))[ VERT_START, VERT_COUNT ];
        $uses{$_}++ for $start .. $start + $count - 1;
    }
    my $vert = $m->pick(grep { $fits->($m->word($_, VERT_COUNT)) && $uses{ $m->word($_, VERT_START) } == 1 } @{ $mesh->{vert}{lines} }) or return;
    my ($start, $count) = ($m->words($vert))[ VERT_START, VERT_COUNT ];
    $m->right($vert);
    return ($vert, @{ $mesh->{weight}{lines} }[ $start .. $start + $count - 1 ]);
}

# The joints.
kind 'parent = itself' => sub ($m) { joint_word($m, 1, sub ($i) { $i }) };
kind 'parent = numJoints' => sub ($m) { joint_word($m, 1, sub ($i) { scalar @{ $m->{joints}{lines} } }) };
kind 'parent = -2' => sub ($m) { joint_word($m, 1, sub ($i) { -2 }) };
kind 'parent = a later joint' => sub ($m) {
    my $last = $#{ $m->{joints}{lines} };
    joint_word($m, 1, sub ($i) { $i < $last ? $i + 1 + $m->random($last - $i) : undef });
};
kind 'parent = another joint before it' => sub ($m) { joint_word($m, 1, sub ($i) { $i > 1 ? $m->random($i) : undef }) };
sub joint_word ($m, $word, $value) {
    my $joints = $m->{joints}{lines};
    my $i = $m->random(scalar @$joints);
    my $new = $value->($i) // return;
    return if $new eq $m->word($joints->[$i], $word);
    return $m->put($joints->[$i], $word, $new) && $m->named($joints->[$i]);
}
kind 'joint name twice' => sub ($m) {
    my $joints = $m->{joints}{lines};
    my $i = $m->pick_pair(@$joints) // return;
    my $other = $m->random($i + 1);
    $m->right($joints->[$other]);
    return $m->put($joints->[ $i + 1 ], 0, $m->word($joints->[$other], 0)) && $m->named($joints->[ $i + 1 ]);
};
kind 'joint name empty' => sub ($m) { my $joint = $m->record('joint'); $m->put($joint, 0, '""') && $m->named($joint) };
kind 'quaternion of a joint too long' => sub ($m) {
    my $joint = $m->record('joint', sub ($line) { $m->quat_length($line) > 0.3 }) or return;
    my $scale = 1.2 / $m->quat_length($joint);
    $m->put($joint, $_, sprintf '%.6f', $scale * $m->word($joint, $_)) for JOINT_QUAT .. JOINT_QUAT + 2;
    return $m->named($joint);
};
sub quat_length ($m, $line) { my $sum = 0; $sum += $_**2 for ($m->words($line))[ JOINT_QUAT .. JOINT_QUAT + 2 ]; return sqrt $sum }
# A joint without vertices may be anywhere, such as a tag for a weapon. A rigid part, whose vertices are all of one joint,
# may be turned in any way.
kind 'sign of a quaternion component flipped, shared vertices' => sub ($m) { flip_sign($m, sub ($vertices) { $vertices->{shared} }) }, 'rich';
kind 'sign of a quaternion component flipped, rigid part' => sub ($m) { flip_sign($m, sub ($vertices) { $vertices->{own} && !$vertices->{shared} }) }, 'rich';
sub flip_sign ($m, $fits) {
    my $joint = $m->skinned_joint($fits) or return;
    my $i = $m->pick(grep { abs $m->word($joint, $_) > 0.1 } JOINT_QUAT .. JOINT_QUAT + 2) // return;
    return $m->put($joint, $i, -$m->word($joint, $i)) && $m->named($joint);
}
kind 'joint with vertices moved by 500' => sub ($m) {
    my $joint = $m->skinned_joint(sub ($vertices) { $vertices->{own} || $vertices->{shared} }) or return;
    return $m->add_to($joint, JOINT_X + $m->random(3), $m->pick(500, -500)) && $m->named($joint);
}, 'rich';

# Braces, quotes, sections and versions.
for my $which ([ 'a mesh', sub ($m) { $m->pick(@{ $m->{meshes} })->{block} } ], [ 'joints', sub ($m) { $m->{joints}{block} } ]) {
    my ($what, $choose) = @$which;
    kind "closing brace of $what removed" => sub ($m) {
        my $block = $choose->($m);
        $m->right($block->{open});
        return $m->drop($block->{close}) && $m->named($block->{open});
    };
    kind "opening brace of $what removed" => sub ($m) {
        my $line = $choose->($m)->{open};
        $m->right(($m->around($line))[1]);
        return $m->cut_word($line, 1) && $m->named($line);
    };
}
for my $quote ([ 'opening', qr/"(?=[^"]*")/ ], [ 'closing', qr/(?<=[^"])"(?!.*")/ ]) {
    kind "$quote->[0] quote removed" => sub ($m) {
        my $line = $m->pick($m->record('joint'), $m->pick(@{ $m->{meshes} })->{shader});
        my ($text, $comment) = $line->{text} =~ m{^("?[^"]*"[^"]*"(?:(?!//).)*)(.*)$} or return;
        $text =~ s/$quote->[1]// or return;
        $line->{text} = $text . $comment;
        return $m->right($line) && $m->named($line);
    };
}
kind 'section keyword misspelt' => sub ($m) {
    my $line = $m->pick(@{ $m->{blocks} })->{open};
    my $word = $m->word($line, 0);
    return $m->put($line, 0, $m->pick(ucfirst $word, substr($word, 0, -1), $word . 's')) && $m->named($line);
};
kind 'count keyword misspelt' => sub ($m) {
    my $line = $m->pick(@{ $m->{counts} }, map { @{ $_->{counts} } } @{ $m->{blocks} });
    return $m->put($line, 0, $m->word($line, 0) =~ s/^num/$m->pick('nun', 'number', 'nm')/er) && $m->named($line);
};
kind 'MD5Version 11' => sub ($m) { $m->put($m->{MD5Version}, 1, 11) && 'MD5Version 11' };
kind 'header line dropped' => sub ($m) {
    my $line = $m->{ $m->pick(qw(MD5Version numJoints numMeshes)) };
    my $text = $m->named($line);
    $m->right($m->{joints}{block}{open});
    return $m->drop($line) && $text;
};
kind 'a mesh dropped' => sub ($m) { whole_mesh($m, sub (@lines) { $m->drop(@lines) }) };
kind 'a mesh doubled' => sub ($m) { whole_mesh($m, sub (@lines) { $m->double(@lines) }) };
sub whole_mesh ($m, $change) {
    my $block = $m->pick(@{ $m->{meshes} })->{block};
    my ($from, $to) = map { $m->position($_) } @$block{qw(open close)};
    $m->right($m->{numMeshes}, $m->last_line, map { $_->{block}{open} } @{ $m->{meshes} });
    return $change->(@{ $m->{lines} }[ $from .. $to ]) && "lines " . ($from + 1) . " to " . ($to + 1);
}

# The surface.
kind 'texture coordinate 50000' => sub ($m) { my $vert = $m->record('vert') or return; $m->put($vert, 3 + $m->random(2), 50000) && $m->named($vert) };
kind 'triangle with one corner twice' => sub ($m) {
    my $tri = $m->record('tri') or return;
    my $i = $m->random(3);
    return $m->put($tri, TRI + $i, $m->word($tri, TRI + ($i + 1) % 3)) && $m->named($tri);
};
kind 'triangle turned round' => sub ($m) {
    my $mesh = $m->pick(grep { @{ $_->{tri}{lines} } >= 60 } @{ $m->{meshes} }) or return;
    my $tri = $m->pick(@{ $mesh->{tri}{lines} });
    my ($one, $other) = ($m->words($tri))[ TRI, TRI + 1 ];
    $m->put($tri, TRI, $other);
    return $m->put($tri, TRI + 1, $one) && $m->named($tri);
}, 'rich';
kind "a vertex's weight 100 times as far" => sub ($m) {
    my ($mesh, $vert, @weights) = skinned_vert($m, sub ($count) { $count == 1 }) or return;
    return move_weight($m, $weights[0], sub ($x) { $x * 100 });
}, 'rich';
kind 'one weight of several mirrored' => sub ($m) {
    my ($mesh, $vert, @weights) = skinned_vert($m, sub ($count) { $count > 1 }) or return;
    my $weight = $m->pick(grep { $m->word($_, WEIGHT_BIAS) > 0.1 } @weights) or return;
    return move_weight($m, $weight, sub ($x) { -$x });
}, 'rich';
kind "a weight's joint is another one" => sub ($m) {
    my ($mesh, $vert, @weights) = skinned_vert($m, sub ($count) { $count > 1 }) or return;
    my $weight = $m->pick(grep { $m->word($_, WEIGHT_BIAS) > 0.1 } @weights) or return;
    my $joint = $m->random(scalar @{ $m->{joints}{lines} });
    return if $joint == $m->word($weight, WEIGHT_JOINT);
    return $m->put($weight, WEIGHT_JOINT, $joint) && $m->named($weight);
}, 'rich';
sub move_weight ($m, $weight, $change) {
    my @at = map { $m->word($weight, $_) } WEIGHT_X .. WEIGHT_X + 2;
    return if 1 > sqrt $at[0]**2 + $at[1]**2 + $at[2]**2;
    $m->put($weight, WEIGHT_X + $_, $change->($at[$_])) for 0 .. 2;
    return $m->named($weight);
}

sub kinds () { return @kinds }

1;
