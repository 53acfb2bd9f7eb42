# Defects of an md5anim.
package Md5anim;
use v5.36;
use parent -norequire, 'Text';
use Text;
use TextKinds;

# Words of a line of the hierarchy, of a box, and of a line of the baseframe.
use constant { PARENT => 1, FLAGS => 2, START => 3, MIN => 1, MAX => 6, BASE_X => 1, BASE_QUAT => 6 };
my @headers = qw(MD5Version numFrames numJoints frameRate numAnimatedComponents);
my $number = qr/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/;
my $triple = qr/\(\s*$number\s+$number\s+$number\s*\)/;
my %record = (
    hierarchy => qr/^"[^"]*"\s+-?\d+\s+\d+\s+\d+$/,
    bounds    => qr/^$triple\s+$triple$/,
    baseframe => qr/^$triple\s+$triple$/,
    frame     => qr/^$number(?:\s+$number)*$/,
);

# Reads a file that has one record a line; returns nothing for others.
sub parse ($class, $bytes) {
    my $m = Text::new($class, $bytes) or return;
    @$m{qw(frames blocks)} = ([], []);
    my $block;
    for my $line (@{ $m->{lines} }) {
        my $text = $line->{text} =~ s{//.*}{}r =~ s/^\s+|\s+$//gr;
        next if $text eq '' || $text =~ /^commandline\s+"[^"]*"$/;
        if ($text eq '}' && $block) { $block->{close} = $line; undef $block }
        elsif ($block) { $text =~ $record{ $block->{what} } or return; push @{ $block->{lines} }, $line }
        elsif ($text =~ /^(@{[ join '|', @headers ]})\s+$number$/) { $m->{$1} = $line }
        elsif ($text =~ /^(hierarchy|bounds|baseframe|frame)\s*(\d*)\s*\{$/) { $block = $m->open_block($1, $line) }
        else { return }
    }
    return !$block && $m->finish ? $m : ();
}

sub open_block ($m, $what, $line) {
    my $block = { what => $what, open => $line, lines => [], counts => [] };
    $block->{block} = $block; # a block is its own list
    push @{ $m->{blocks} }, $block;
    if ($what eq 'frame') { push @{ $m->{frames} }, $block }
    else { $m->{$what} = $block }
    return $block;
}

sub finish ($m) {
    return if grep { !$m->{$_} } @headers, qw(hierarchy bounds baseframe);
    return if !@{ $m->{frames} };
    $m->{bounds}{count} = $m->{numFrames};
    $m->{$_}{count} = $m->{numJoints} for qw(hierarchy baseframe);
    $_->{count} = $m->{numAnimatedComponents} for @{ $m->{frames} };
    $m->{counts} = [ @$m{qw(numFrames numJoints numAnimatedComponents)} ];
    $m->{data} = [ map { @{ $_->{lines} } } @$m{qw(bounds baseframe)}, @{ $m->{frames} } ];
    $m->{rich} = @{ $m->{frames} } >= 8 && @{ $m->{hierarchy}{lines} } >= 3;
    return 1;
}

# ---- Choosing --------------------------------------------------------------------------------

sub named ($m, $line) { return $line->{text} =~ s/^\s+|\s+$//gr }
sub record ($m, $what) { return $m->pick(@{ $m->{$what}{lines} }) }
sub frame ($m) { return $m->pick(grep { @{ $_->{lines} } } @{ $m->{frames} }) }
sub lines_of ($m, $block) { return @{ $m->{lines} }[ $m->position($block->{open}) .. $m->position($block->{close}) ] }

# Where each value of a frame is: [line, word].
sub values_of ($m, $frame) {
    return map { my $line = $_; map { [ $line, $_ ] } 0 .. $m->words($line) - 1 } @{ $frame->{lines} };
}

# The place in each frame of the component `bit` of a random joint that animates it; and that joint's line.
sub component ($m, @bits) {
    my $bit = $m->pick(@bits);
    my $joint = $m->pick(grep { $m->word($_, FLAGS) & 1 << $bit } @{ $m->{hierarchy}{lines} }) or return;
    my ($flags, $start) = ($m->words($joint))[ FLAGS, START ];
    return ($joint, $start + grep { $flags & 1 << $_ } 0 .. $bit - 1);
}

# ---- Kinds -----------------------------------------------------------------------------------

my @kinds = (
    TextKinds::kinds(),
    TextKinds::md5_kinds(sub ($m) { @$m{@headers}, map { $_->{open} } @$m{qw(hierarchy bounds baseframe)}, @{ $m->{frames} } }, sub ($m) { @{ $m->{hierarchy}{lines} } }),
);
sub kind ($name, $code, @options) { push @kinds, [ $name, $code, @options ] }

for my $what (qw(hierarchy bounds baseframe)) {
    kind "$what line dropped" => sub ($m) {
        my $line = $m->record($what) or return;
        return if @{ $m->{$what}{lines} } < 2;
        $m->right($m->around_list($m->{$what}));
        return $m->drop($line) && $m->named($line);
    };
    kind "$what line doubled" => sub ($m) {
        my $line = $m->record($what) or return;
        $m->right($m->around_list($m->{$what}));
        return $m->double($line) && $m->named($line);
    };
}

# A random section, or a random line of one.
my @sections = qw(hierarchy bounds baseframe);
kind 'a column too many' => sub ($m) {
    my $line = $m->record($m->pick(@sections)) or return;
    return $m->add_word($line, $m->words($line) - 1, 0) && $m->named($line);
};
kind 'a column missing' => sub ($m) {
    my $line = $m->record($m->pick(@sections)) or return;
    my @words = $m->words($line);
    return $m->cut_word($line, $#words - ($words[-1] eq ')')) && $m->named($line);
};
kind 'closing brace of a section removed' => sub ($m) {
    my $section = $m->{ $m->pick(@sections) };
    $m->right($section->{open}, $section->{lines}[-1]);
    return $m->drop($section->{close}) && $section->{what};
};
kind 'opening brace of a section removed' => sub ($m) {
    my $section = $m->{ $m->pick(@sections) };
    $m->right($section->{lines}[0]);
    return $m->cut_word($section->{open}, 1) && $section->{what};
};
kind 'keyword of a section misspelt' => sub ($m) {
    my $what = $m->pick(@sections);
    return $m->put($m->{$what}{open}, 0, $m->pick(ucfirst $what, substr($what, 0, -1), "${what}x")) && $what;
};
kind 'section dropped' => sub ($m) { my $section = $m->{ $m->pick(@sections) }; $m->drop($m->lines_of($section)) && $section->{what} };
kind 'parenthesis removed' => sub ($m) {
    my $line = $m->record($m->pick(qw(bounds baseframe))) or return;
    my @words = $m->words($line);
    my $i = $m->pick(grep { $words[$_] =~ /[()]/ } 0 .. $#words) // return;
    return $m->cut_word($line, $i) && $m->named($line);
};

# Counts and header lines.
my %counted = (numFrames => sub ($m) { (map { $m->around_list($_) } $m->{bounds}), $m->{frames}[-1]{open}, $m->last_line },
    numJoints => sub ($m) { map { $m->around_list($m->{$_}) } qw(hierarchy baseframe) },
    numAnimatedComponents => sub ($m) { $m->{hierarchy}{lines}[-1], $m->{hierarchy}{close}, map { @$_{qw(open close)} } $m->{frames}[0] });
for my $count (sort keys %counted) {
    for my $by (1, -1) {
        kind "$count " . ($by > 0 ? 'one more' : 'one less') => sub ($m) {
            return if $m->word($m->{$count}, 1) + $by < 0;
            $m->right($counted{$count}->($m));
            return $m->add_to($m->{$count}, 1, $by) && $m->named($m->{$count});
        };
    }
}
kind 'count negative' => sub ($m) { my $count = $m->pick(sort keys %counted); $m->put($m->{$count}, 1, -3) && $count };
kind 'header line dropped' => sub ($m) { my $header = $m->pick(@headers); $m->drop($m->{$header}) && $header };
kind 'keyword of the header misspelt' => sub ($m) {
    my $header = $m->pick(@headers);
    return $m->put($m->{$header}, 0, $m->pick(lcfirst($header) . 's', substr($header, 0, -1))) && $header;
};
kind 'frameRate 0' => sub ($m) { $m->put($m->{frameRate}, 1, 0) && 'frameRate 0' };
kind 'frameRate negative' => sub ($m) { $m->put($m->{frameRate}, 1, -24) && 'frameRate -24' };
kind 'frameRate with a point' => sub ($m) { $m->put($m->{frameRate}, 1, $m->word($m->{frameRate}, 1) . '.5') && 'frameRate' };
kind 'MD5Version 11' => sub ($m) { $m->put($m->{MD5Version}, 1, 11) && 'MD5Version 11' };

# The hierarchy.
sub joint_word ($m, $word, $value) {
    my $joints = $m->{hierarchy}{lines};
    my $i = $m->random(scalar @$joints);
    my $new = $value->($i) // return;
    return if $new eq $m->word($joints->[$i], $word);
    $m->right($joints->[ $i + 1 ] // $m->{hierarchy}{close}) if $word != PARENT;
    return $m->put($joints->[$i], $word, $new) && $m->named($joints->[$i]);
}
kind 'parent = itself' => sub ($m) { joint_word($m, PARENT, sub ($i) { $i }) };
kind 'parent = numJoints' => sub ($m) { joint_word($m, PARENT, sub ($i) { scalar @{ $m->{hierarchy}{lines} } }) };
kind 'parent = -2' => sub ($m) { joint_word($m, PARENT, sub ($i) { -2 }) };
kind 'parent = a later joint' => sub ($m) {
    my $last = $#{ $m->{hierarchy}{lines} };
    joint_word($m, PARENT, sub ($i) { $i < $last ? $i + 1 + $m->random($last - $i) : undef });
};
kind 'flags 64' => sub ($m) { joint_word($m, FLAGS, sub ($i) { 64 }) };
kind 'flags -1' => sub ($m) { joint_word($m, FLAGS, sub ($i) { -1 }) };
kind 'flags one bit less' => sub ($m) {
    $m->right($m->{numAnimatedComponents}, $m->{hierarchy}{lines}[-1]);
    joint_word($m, FLAGS, sub ($i) { one_bit($m, $i, 1) });
};
kind 'flags one bit more' => sub ($m) {
    $m->right($m->{numAnimatedComponents}, $m->{hierarchy}{lines}[-1]);
    joint_word($m, FLAGS, sub ($i) { one_bit($m, $i, 0) });
};
sub one_bit ($m, $i, $set) {
    my $flags = $m->word($m->{hierarchy}{lines}[$i], FLAGS);
    my $bit = $m->pick(grep { !!($flags & 1 << $_) == $set } 0 .. 5) // return;
    return $flags ^ 1 << $bit;
}
# Where a joint animates nothing, startIndex says nothing.
sub start_index ($m, $line, $by) {
    return if !$line || !$m->word($line, FLAGS) || $m->word($line, START) + $by < 0;
    $m->right($m->around($line));
    return $m->add_to($line, START, $by) && $m->named($line);
}
kind 'startIndex of the last joint + 1' => sub ($m) {
    my ($last) = grep { $m->word($_, FLAGS) } reverse @{ $m->{hierarchy}{lines} };
    $m->right($m->{numAnimatedComponents});
    return start_index($m, $last, 1);
};
kind 'startIndex in the middle changed' => sub ($m) { start_index($m, $m->record('hierarchy'), $m->pick(-2, -1, 1, 2)) };
kind 'startIndex negative' => sub ($m) {
    my $line = $m->record('hierarchy');
    return $m->word($line, FLAGS) && $m->put($line, START, -1) && $m->named($line);
};
kind 'joint name twice' => sub ($m) {
    my $joints = $m->{hierarchy}{lines};
    my $i = $m->pick_pair(@$joints) // return;
    my $other = $m->random($i + 1);
    $m->right($joints->[$other]);
    return $m->put($joints->[ $i + 1 ], 0, $m->word($joints->[$other], 0)) && $m->named($joints->[ $i + 1 ]);
};
kind 'joint name empty' => sub ($m) { my $joint = $m->record('hierarchy'); $m->put($joint, 0, '""') && $m->named($joint) };
for my $quote ([ opening => qr/"/ ], [ closing => qr/(?<=[^"])"(?=\s+-?\d+\s+\d+)/ ]) {
    kind "$quote->[0] quote of a joint name removed" => sub ($m) {
        my $line = $m->record('hierarchy');
        $line->{text} =~ s/$quote->[1]// or return;
        return $m->right($line) && $m->named($line);
    };
}
kind 'two hierarchy lines exchanged' => sub ($m) {
    my $i = $m->pick_pair(@{ $m->{hierarchy}{lines} }) // return;
    $m->right($m->{hierarchy}{lines}[ $i + 2 ] // $m->{hierarchy}{close});
    return $m->exchange(@{ $m->{hierarchy}{lines} }[ $i, $i + 1 ]) && $m->named($m->{hierarchy}{lines}[$i]);
};

# Boxes.
kind 'minimum and maximum of a box exchanged' => sub ($m) {
    my $line = $m->record('bounds') or return;
    my $axis = $m->random(3);
    my ($min, $max) = ($m->words($line))[ MIN + $axis, MAX + $axis ];
    return if $min == $max;
    $m->put($line, MIN + $axis, $max);
    return $m->put($line, MAX + $axis, $min) && $m->named($line);
};
# A box that is no point.
sub box ($m) {
    my $line = $m->record('bounds') or return;
    return (grep { $m->word($line, MIN + $_) != $m->word($line, MAX + $_) } 0 .. 2) ? $line : undef;
}
kind 'one box is a point' => sub ($m) {
    my $line = box($m) or return;
    $m->put($line, $_, 0) for MIN .. MIN + 2, MAX .. MAX + 2;
    return $m->named($line);
}, 'rich';
kind 'one box 100 times as large' => sub ($m) {
    my $line = box($m) or return;
    $m->put($line, $_, 100 * $m->word($line, $_)) for MIN .. MIN + 2, MAX .. MAX + 2;
    return $m->named($line);
}, 'rich';
kind 'one box moved by 1000' => sub ($m) {
    my $line = box($m) or return;
    my $axis = $m->random(3);
    $m->add_to($line, $_ + $axis, 1000) for MIN, MAX;
    return $m->named($line);
}, 'rich';

# Frames.
sub frames_right ($m, @frames) { return $m->right(map { $_->{open}, $_->{close}, @{ $_->{lines} } } @frames) }
kind 'line of a frame dropped' => sub ($m) {
    my $frame = $m->frame or return;
    my $line = $m->pick(@{ $frame->{lines} });
    return if @{ $frame->{lines} } < 2;
    frames_right($m, $frame);
    return $m->drop($line) && $m->named($line);
};
kind 'line of a frame doubled' => sub ($m) {
    my $frame = $m->frame or return;
    my $line = $m->pick(@{ $frame->{lines} });
    frames_right($m, $frame);
    return $m->double($line) && $m->named($line);
};
kind 'frame dropped' => sub ($m) {
    my $i = $m->pick_pair(@{ $m->{frames} }) // return;
    $m->right($m->{numFrames}, $m->last_line);
    return $m->drop($m->lines_of($m->{frames}[$i])) && "frame $i";
};
kind 'last frame dropped' => sub ($m) {
    return if @{ $m->{frames} } < 2;
    $m->right($m->{numFrames}, @{ $m->{frames}[-2] }{qw(open close)});
    return $m->drop($m->lines_of($m->{frames}[-1])) && 'the last frame';
};
kind 'frame doubled' => sub ($m) {
    my $i = $m->random(scalar @{ $m->{frames} });
    $m->right($m->{numFrames}, $m->last_line);
    return $m->double($m->lines_of($m->{frames}[$i])) && "frame $i";
};
kind 'frame index wrong' => sub ($m) {
    my $i = $m->random(scalar @{ $m->{frames} });
    return $m->put($m->{frames}[$i]{open}, 1, $i + $m->pick(1, 2, 10)) && "frame $i";
};
kind 'frame index missing' => sub ($m) { my $frame = $m->frame or return; $m->cut_word($frame->{open}, 1) && 'frame' };
kind 'keyword frame misspelt' => sub ($m) { my $frame = $m->frame or return; $m->put($frame->{open}, 0, $m->pick('Frame', 'fram', 'frames')) && 'frame' };
kind 'numbers of two frames exchanged' => sub ($m) {
    my $i = $m->pick_pair(@{ $m->{frames} }) // return;
    my ($one, $other) = @{ $m->{frames} }[ $i, $i + 1 ];
    frames_right($m, $one, $other);
    return $m->exchange($one->{open}, $other->{open}) && "frames $i and " . ($i + 1);
};
kind 'two frames exchanged' => sub ($m) {
    my $i = $m->pick_pair(@{ $m->{frames} }) // return;
    my ($one, $other) = @{ $m->{frames} }[ $i, $i + 1 ];
    frames_right($m, $one, $other);
    my ($from, $to) = ($m->position($one->{open}), $m->position($other->{close}));
    my @second = $m->lines_of($other);
    my @first = @{ $m->{lines} }[ $from .. $to - @second ];
    splice @{ $m->{lines} }, $from, $to - $from + 1, @second, @first;
    return "frames $i and " . ($i + 1);
};
kind 'a value missing in a frame' => sub ($m) {
    my $frame = $m->frame or return;
    my $at = $m->pick($m->values_of($frame));
    frames_right($m, $frame);
    return $m->cut_word(@$at) && $m->named($at->[0]);
};
kind 'a value too many in a frame' => sub ($m) {
    my $frame = $m->frame or return;
    my $at = $m->pick($m->values_of($frame));
    frames_right($m, $frame);
    return $m->add_word(@$at, '0.25') && $m->named($at->[0]);
};
kind 'closing brace of a frame removed' => sub ($m) {
    my $frame = $m->frame or return;
    frames_right($m, $frame);
    return $m->drop($frame->{close}) && $m->named($frame->{open});
};
kind 'opening brace of a frame removed' => sub ($m) {
    my $frame = $m->frame or return;
    frames_right($m, $frame);
    return $m->cut_word($frame->{open}, 2) && $m->named($frame->{open});
};
kind 'frame of zeros' => sub ($m) {
    my $frame = $m->frame or return;
    frames_right($m, $frame);
    $m->put(@$_, 0) for $m->values_of($frame);
    return $m->named($frame->{open});
}, 'rich';
kind 'one value of a position 100 times as large in one frame' => sub ($m) {
    my ($joint, $i) = $m->component(0 .. 2) or return;
    my $frame = $m->pick(@{ $m->{frames} });
    my $at = ($m->values_of($frame))[$i];
    my $value = $m->word(@$at);
    return if abs $value < 1;
    frames_right($m, $frame);
    return $m->put(@$at, 100 * $value) && $m->named($joint) . ": $value times 100";
}, 'rich';
kind 'one quaternion spoilt in one frame' => sub ($m) {
    my ($joint, $i) = $m->component(3 .. 5) or return;
    my $frame = $m->pick(@{ $m->{frames} });
    my $at = ($m->values_of($frame))[$i];
    my $value = $m->word(@$at);
    return if abs $value < 0.2;
    frames_right($m, $frame);
    return $m->put(@$at, -$value) && $m->named($joint) . ": sign of $value flipped";
}, 'rich';
kind 'quaternion component 1.5 in one frame' => sub ($m) {
    my ($joint, $i) = $m->component(3 .. 5) or return;
    my $frame = $m->pick(@{ $m->{frames} });
    frames_right($m, $frame);
    return $m->put(@{ ($m->values_of($frame))[$i] }, '1.5') && $m->named($joint);
};
kind 'baseframe quaternion too long' => sub ($m) {
    my $line = $m->record('baseframe') or return;
    my $i = $m->random(3);
    return $m->put($line, BASE_QUAT + $i, '1.5') && $m->named($line);
};
kind 'baseframe position of a joint 100 times as far' => sub ($m) {
    my $i = $m->random(scalar @{ $m->{baseframe}{lines} });
    my $line = $m->{baseframe}{lines}[$i];
    return if $m->word($m->{hierarchy}{lines}[$i], FLAGS) & 7;
    my @at = ($m->words($line))[ BASE_X .. BASE_X + 2 ];
    return if 1 > sqrt $at[0]**2 + $at[1]**2 + $at[2]**2;
    $m->put($line, BASE_X + $_, 100 * $at[$_]) for 0 .. 2;
    return $m->named($line);
}, 'rich';

sub kinds () { return @kinds }

1;
