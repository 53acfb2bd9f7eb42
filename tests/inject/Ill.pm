# Defects of an illmesh, illskel or illanim. A kind that asks for one format returns nothing for the others.
package Ill;
use v5.36;
use parent -norequire, 'Text';
use List::Util 'min';
use Text;
use TextKinds;

# Reads a file with one attribute, matrix row or key part a line; returns nothing for others. Each format has
# `sections`: lists of lines with the count that they depend on.
sub parse ($class, $bytes) {
    my $m = Text::new($class, $bytes) or return;
    my @lines = grep { $_->{text} =~ /\S/ } @{ $m->{lines} };
    my ($format) = @lines && $lines[0]{text} =~ /^ILL(MESH|SKEL|ANIM)0$/ or return;
    $m->{format} = lc $format;
    $m->{magic} = shift @lines;
    my $read = $class->can("read_$m->{format}");
    $read->($m, @lines) or return;
    $m->{data} = [ map { @{ $_->{lines} } } @{ $m->{sections} } ];
    $m->{blocks} = [
        map { { open => $_->{lines}[0], close => $_->{lines}[-1], counts => [ $_->{count} ] } }
        grep { @{ $_->{lines} } } @{ $m->{sections} }
    ];
    return $m;
}

# Takes the lines of a section, or nothing if their words are not as many as `widths` says again and again.
sub section ($m, $name, $count, $lines, $n, @widths) {
    return if @$lines < $n * @widths;
    my @taken = splice @$lines, 0, $n * @widths;
    for my $i (0 .. $#taken) { return if $m->words($taken[$i]) != $widths[ $i % @widths ] }
    my $section = { name => $name, lines => \@taken, count => $count, step => scalar @widths, block => {} };
    push @{ $m->{sections} }, $section;
    return $m->{$name} = $section;
}

sub take_counts ($m, $lines, $n) {
    return if @$lines < $n;
    my @taken = splice @$lines, 0, $n;
    return if grep { $_->{text} !~ /^\s*\d+\s*$/ } @taken;
    push @{ $m->{counts} }, @taken;
    return @taken;
}

sub read_mesh ($m, @lines) {
    my @flags = $m->take_counts(\@lines, 6) or return;
    my ($verts, $indices) = $m->take_counts(\@lines, 2) or return;
    @$m{qw(vertices indices counts)} = ($verts, $indices, [ $verts, $indices ]);
    $m->{flags} = \@flags;
    my @on = map { $_->{text} + 0 } @flags;
    my @front = map { $on[ $_->[0] ] ? @$_[ 1 .. $#$_ ] : () } ([ 0, 'position' ], [ 1, 'normal' ], [ 2, 'tangent', 'bitangent' ]);
    my @uv = $on[3] ? 'uv' : ();
    my @skin = $on[4] ? qw(bones weights) : ();
    my @colour = $on[5] ? 'colour' : ();
    my $bones = $lines[ @front ] ? $m->words($lines[ @front ]) : 0;
    my @order = (@front, $bones == 2 ? (@uv, @skin) : (@skin, @uv), @colour);
    my %width = (uv => 2, bones => 4, weights => 4, colour => 4);
    $m->{attributes} = { map { $order[$_] => $_ } 0 .. $#order };
    $m->section('verts', $verts, \@lines, $verts->{text}, map { $width{$_} // 3 } @order) or return;
    my $each = @lines && $m->words($lines[0]) == 3 ? 3 : 1;
    $m->section('tris', $indices, \@lines, $indices->{text} / $each, $each) or return;
    $m->{rich} = $indices->{text} >= 180;
    return !@lines;
}

sub read_skel ($m, @lines) {
    my ($bones) = $m->take_counts(\@lines, 1) or return;
    $m->{bones} = $bones;
    $m->section('matrices', $bones, \@lines, $bones->{text}, 4, 4, 4, 4) or return;
    $m->section('parents', $bones, \@lines, $bones->{text}, 1) or return;
    $m->section('names', $bones, \@lines, $bones->{text}, 1) or return;
    $m->{rich} = $bones->{text} >= 5;
    return !@lines;
}

sub read_anim ($m, @lines) {
    my ($rate, $frames, $bones) = $m->take_counts(\@lines, 3) or return;
    @$m{qw(rate frames bones counts)} = ($rate, $frames, $bones, [ $frames, $bones ]);
    for my $i (1 .. $bones->{text}) {
        $m->section('name', $bones, \@lines, 1, 1) or return;
        push @{ $m->{names}{lines} }, @{ $m->{name}{lines} };
        push @{ $m->{tracks} }, $m->section('track', $frames, \@lines, $frames->{text}, 3, 4, 3) or return;
    }
    $m->{names}{count} = $bones;
    @{ $m->{names} }{qw(block step)} = ({}, 1);
    $m->{rich} = $frames->{text} >= 8;
    return !@lines && $m->{names}{lines};
}

# ---- Choosing --------------------------------------------------------------------------------

sub named ($m, $line) { return $line->{text} =~ s/^\s+|\s+$//gr }

# Vertex `i`'s line of an attribute.
sub attribute ($m, $i, $name) { return $m->{verts}{lines}[ $i * $m->{verts}{step} + $m->{attributes}{$name} ] }
sub any_attribute ($m, $name) {
    return if $m->{format} ne 'mesh' || !defined $m->{attributes}{$name} || !$m->{vertices}{text};
    return $m->attribute($m->random($m->{vertices}{text}), $name);
}

# The lines of a vertex, matrix or key, and of the next one: a line that is missing shows where the number of words no
# longer fits.
sub around_record ($m, $list, $line) {
    my ($lines, $step) = @$list{qw(lines step)};
    my ($i) = grep { $lines->[$_] == $line } 0 .. $#$lines;
    my $first = $i - $i % $step;
    my $last = min($#$lines, $first + 2 * $step - 1);
    return @$lines[ $first .. $last ];
}

# A line of a random key: 0 the position, 1 the quaternion, 2 the scale.
sub key_part ($m, $part) {
    my $track = $m->pick(@{ $m->{tracks} // [] }) or return;
    return if !$m->{frames}{text};
    return $track->{lines}[ 3 * $m->random($m->{frames}{text}) + $part ];
}

sub tri ($m) { return $m->{format} eq 'mesh' ? $m->pick(@{ $m->{tris}{lines} }) : undef }

# ---- Kinds -----------------------------------------------------------------------------------

my @kinds = TextKinds::kinds();
sub kind ($name, $code, @options) { push @kinds, [ $name, $code, @options ] }
# A kind of one format.
sub only ($format, $name, $code, @options) { kind("ill$format: $name", sub ($m) { $m->{format} eq $format ? $code->($m) : undef }, @options) }

kind 'magic missing' => sub ($m) { $m->drop($m->{magic}) && 'line 1' };
kind 'magic of another version, or in lower case' => sub ($m) {
    my $text = $m->{magic}{text};
    return $m->put($m->{magic}, 0, $m->pick($text =~ s/0$/1/r, lc $text)) && $m->named($m->{magic});
};
kind 'a column too many' => sub ($m) {
    my $line = $m->pick(grep { $m->words($_) > 1 } @{ $m->{data} }) or return;
    return $m->add_word($line, $m->words($line) - 1, $m->pick('0', '0.5')) && $m->named($line);
};
kind 'a column missing' => sub ($m) {
    my $line = $m->pick(grep { $m->words($_) > 1 } @{ $m->{data} }) or return;
    return $m->cut_word($line, $m->words($line) - 1) && $m->named($line);
};
kind 'two counts exchanged' => sub ($m) {
    my ($one, $other) = @{ $m->{counts} };
    return if !$other || $one->{text} == $other->{text};
    return $m->exchange($one, $other) && $m->named($one);
};
kind 'count negative' => sub ($m) { my $line = $m->pick(@{ $m->{counts} }); $m->put($line, 0, -1) && $m->named($line) };
kind 'count with a point' => sub ($m) { my $line = $m->pick(@{ $m->{counts} }); $m->put($line, 0, $m->word($line, 0) . '.5') && $m->named($line) };

my %lists = (mesh => [qw(verts tris)], skel => [qw(matrices parents names)], anim => [qw(track names)]);
for my $format (sort keys %lists) {
    for my $name (@{ $lists{$format} }) {
        for my $way (qw(dropped doubled)) {
            only $format, "line of $name $way", sub ($m) {
                my $list = $name eq 'track' ? $m->pick(@{ $m->{tracks} }) : $m->{$name};
                my $line = $m->pick(@{ $list->{lines} }) or return;
                $m->right($name eq 'names' && $format eq 'anim' ? $list->{count} : ($m->around_list($list), $m->around_record($list, $line)));
                return ($way eq 'dropped' ? $m->drop($line) : $m->double($line)) && $m->named($line);
            };
        }
    }
}
my %counts = (mesh => [qw(vertices indices)], skel => ['bones'], anim => [qw(frames bones)]);
my %last = (vertices => 'verts', indices => 'tris', bones => 'names', frames => 'track');
for my $format (sort keys %counts) {
    for my $name (@{ $counts{$format} }) {
        only $format, "number of $name off by one", sub ($m) {
            my $list = $name eq 'frames' ? $m->{tracks}[0] : $m->{ $last{$name} };
            my $by = $m->pick(1, -1) * ($name eq 'indices' ? 3 : 1);
            $m->right($m->last_line, $m->around_list($list));
            return $m->add_to($m->{$name}, 0, $by) && "$name " . $m->{$name}{text};
        };
    }
}

# illmesh
only 'mesh', 'number of indices no multiple of 3', sub ($m) {
    $m->right($m->last_line, $m->around_list($m->{tris}));
    return $m->add_to($m->{indices}, 0, $m->pick(1, -1)) && 'indices ' . $m->{indices}{text};
};
only 'mesh', 'index = number of vertices', sub ($m) { index_word($m, $m->{vertices}{text} + 0) };
only 'mesh', 'index = -1',                 sub ($m) { index_word($m, -1) };
only 'mesh', 'index with a point',         sub ($m) { index_word($m, '1.5') };
sub index_word ($m, $value) {
    my $line = $m->tri or return;
    return $m->put($line, $m->random(scalar $m->words($line)), $value) && $m->named($line);
}
only 'mesh', 'triangle with one corner twice', sub ($m) {
    my $line = $m->tri or return;
    return if $m->words($line) != 3;
    my $i = $m->random(3);
    return $m->put($line, $i, $m->word($line, ($i + 1) % 3)) && $m->named($line);
};
only 'mesh', 'triangle turned round', sub ($m) {
    my $line = $m->tri or return;
    my @words = $m->words($line);
    return if @words != 3;
    $m->put($line, 0, $words[1]);
    return $m->put($line, 1, $words[0]) && $m->named($line);
}, 'rich';
only 'mesh', 'flag 2', sub ($m) { my $flag = $m->pick(@{ $m->{flags} }); $m->put($flag, 0, 2) && 'flag' };
only 'mesh', 'flag turned over', sub ($m) {
    my $flag = $m->pick(@{ $m->{flags} }[ 1 .. 5 ]);
    $m->right(@{ $m->{flags} }, $m->around_list($m->{verts}), $m->last_line);
    return $m->put($flag, 0, 1 - $flag->{text}) && 'flag';
};
only 'mesh', 'weight sum 0.93', sub ($m) {
    my $line = $m->any_attribute('weights') or return;
    return if $m->word($line, 0) < 0.1;
    return $m->add_to($line, 0, -0.07) && $m->named($line);
};
only 'mesh', 'weight negative', sub ($m) {
    my $line = $m->any_attribute('weights') or return;
    my $i = $m->pick(grep { $m->word($line, $_) > 0.05 } 0 .. 3) // return;
    return $m->put($line, $i, -$m->word($line, $i)) && $m->named($line);
};
only 'mesh', 'all weights of a vertex 0', sub ($m) {
    my $line = $m->any_attribute('weights') or return;
    $m->put($line, $_, 0) for 0 .. 3;
    return $m->named($line);
};
only 'mesh', 'bone index -1',           sub ($m) { my $line = $m->any_attribute('bones') or return; $m->put($line, 0, -1) && $m->named($line) };
only 'mesh', 'bone index with a point', sub ($m) { my $line = $m->any_attribute('bones') or return; $m->put($line, 0, '0.5') && $m->named($line) };
for my $vector (qw(normal tangent)) {
    only 'mesh', "$vector of zeros", sub ($m) {
        my $line = $m->any_attribute($vector) or return;
        $m->put($line, $_, 0) for 0 .. 2;
        return $m->named($line);
    };
    only 'mesh', "$vector three times as long", sub ($m) {
        my $line = $m->any_attribute($vector) or return;
        $m->put($line, $_, 3 * $m->word($line, $_)) for 0 .. 2;
        return $m->named($line);
    };
}
only 'mesh', 'normal turned round', sub ($m) {
    my $line = $m->any_attribute('normal') or return;
    $m->put($line, $_, -$m->word($line, $_)) for 0 .. 2;
    return $m->named($line);
}, 'rich';
only 'mesh', 'vertex 100 times as far', sub ($m) {
    my $line = $m->any_attribute('position') or return;
    return if 1 > (sort { $b <=> $a } map { abs } $m->words($line))[0];
    $m->put($line, $_, 100 * $m->word($line, $_)) for 0 .. 2;
    return $m->named($line);
}, 'rich';
only 'mesh', 'texture coordinate 50000', sub ($m) { my $line = $m->any_attribute('uv') or return; $m->put($line, $m->random(2), 50000) && $m->named($line) };

# illskel
sub parent ($m, $value) {
    my $i = $m->random(scalar @{ $m->{parents}{lines} });
    my $line = $m->{parents}{lines}[$i];
    my $new = $value->($i) // return;
    return if $new == $line->{text};
    return $m->put($line, 0, $new) && "bone $i: parent $new";
}
only 'skel', 'parent = number of bones', sub ($m) { parent($m, sub ($i) { $m->{bones}{text} + 0 }) };
only 'skel', 'parent = -2',              sub ($m) { parent($m, sub ($i) { -2 }) };
only 'skel', 'parents in a loop',        sub ($m) {
    parent($m, sub ($i) {
        my @parents = map { $_->{text} + 0 } @{ $m->{parents}{lines} };
        my @children = grep { $parents[$_] == $i && $_ != $i } 0 .. $#parents;
        $m->right(@{ $m->{parents}{lines} }[@children]);
        return $m->pick(@children);
    });
};
only 'skel', 'a second root', sub ($m) { parent($m, sub ($i) { -1 }) }, 'rich';
sub matrix ($m, $change) {
    my $i = $m->random($m->{bones}{text});
    my @rows = @{ $m->{matrices}{lines} }[ 4 * $i .. 4 * $i + 3 ];
    my @values = map { [ $m->words($_) ] } @rows;
    $change->(\@values);
    $m->right(@rows);
    for my $row (0 .. 3) {
        for (0 .. 3) { $m->put($rows[$row], $_, $values[$row][$_]) if $m->word($rows[$row], $_) ne $values[$row][$_] }
    }
    return "bone $i";
}
only 'skel', 'matrix scaled', sub ($m) {
    matrix($m, sub ($v) { for my $row (0 .. 2) { $v->[$row][$_] *= 1.5 for 0 .. 2 } });
};
only 'skel', 'matrix transposed', sub ($m) {
    matrix($m, sub ($v) { my @old = map { [@$_] } @$v; for my $row (0 .. 3) { $v->[$row][$_] = $old[$_][$row] for 0 .. 3 } });
};
only 'skel', 'matrix mirrored',       sub ($m) { matrix($m, sub ($v) { $_->[0] = -$_->[0] for @$v[ 0 .. 2 ] }) };
only 'skel', 'row of a matrix zeros', sub ($m) { matrix($m, sub ($v) { my $row = $m->random(3); $v->[$row][$_] = 0 for 0 .. 2 }) };
only 'skel', 'last row not 0 0 0 1',  sub ($m) { matrix($m, sub ($v) { $v->[3][ $m->random(4) ] = 2 }) };
for my $format (qw(skel anim)) {
    only $format, 'bone name twice', sub ($m) {
        my $names = $m->{names}{lines};
        my $i = $m->pick_pair(@$names) // return;
        my $other = $m->random($i + 1);
        $m->right($names->[$other]);
        return $m->put($names->[ $i + 1 ], 0, $m->word($names->[$other], 0)) && $m->named($names->[ $i + 1 ]);
    };
    only $format, 'bone name with a space', sub ($m) {
        my $line = $m->pick(@{ $m->{names}{lines} });
        return if length $m->named($line) < 3;
        substr($line->{text}, 2, 0) = ' ';
        return $m->right($line) && $m->named($line);
    };
}

# illanim
only 'anim', 'frame rate 0', sub ($m) { $m->put($m->{rate}, 0, 0) && 'frame rate' };
only 'anim', 'quaternion of zeros', sub ($m) { key($m, 1, sub ($value) { 0 }) };
only 'anim', 'quaternion three times as long', sub ($m) { key($m, 1, sub ($value) { 3 * $value }) };
only 'anim', 'scale 0', sub ($m) { key($m, 2, sub ($value) { 0 }) };
only 'anim', 'scale negative', sub ($m) { key($m, 2, sub ($value) { -$value }) };
only 'anim', 'position 100 times as far in one key', sub ($m) {
    my $line = $m->key_part(0) or return;
    return if 1 > (sort { $b <=> $a } map { abs } $m->words($line))[0];
    return change_words($m, $line, sub ($value) { 100 * $value });
}, 'rich';
sub key ($m, $part, $change) {
    my $line = $m->key_part($part) or return;
    return change_words($m, $line, $change);
}
sub change_words ($m, $line, $change) {
    $m->put($line, $_, $change->($m->word($line, $_))) for 0 .. $m->words($line) - 1;
    return $m->named($line);
}
only 'anim', 'one quaternion spoilt in one key', sub ($m) {
    my $line = $m->key_part(1) or return;
    my @big = grep { abs $m->word($line, $_) > 0.2 } 0 .. 3;
    return if @big < 2;
    my $i = $m->pick(@big);
    return $m->put($line, $i, -$m->word($line, $i)) && $m->named($line);
}, 'rich';
only 'anim', 'a key dropped', sub ($m) { whole_key($m, sub (@lines) { $m->drop(@lines) }) };
only 'anim', 'a key doubled', sub ($m) { whole_key($m, sub (@lines) { $m->double(@lines) }) };
sub whole_key ($m, $change) {
    my $track = $m->pick(@{ $m->{tracks} });
    return if !$m->{frames}{text};
    my $frame = $m->random($m->{frames}{text});
    $m->right($m->{frames}, $m->around_list($track), @{ $track->{lines} }[ -3 .. -1 ]);
    return $change->(@{ $track->{lines} }[ 3 * $frame .. 3 * $frame + 2 ]) && "key $frame";
}

sub kinds () { return @kinds }

1;
