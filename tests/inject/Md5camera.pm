# Defects of an md5camera.
package Md5camera;
use v5.36;
use parent -norequire, 'Text';
use Text;
use TextKinds;

# Words of a frame's line: ( x y z ) ( qx qy qz ) fov
use constant { X => 1, QUAT => 6, FOV => 10, WORDS => 11 };
my @headers = qw(MD5Version numFrames frameRate numCuts);
my $number = qr/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/;
my $triple = qr/\(\s*$number\s+$number\s+$number\s*\)/;
my %record = (cuts => qr/^\d+$/, camera => qr/^$triple\s+$triple\s+$number$/);

# Reads a file that has one record a line; returns nothing for others.
sub parse ($class, $bytes) {
    my $m = Text::new($class, $bytes) or return;
    $m->{blocks} = [];
    my $block;
    for my $line (@{ $m->{lines} }) {
        my $text = $line->{text} =~ s{//.*}{}r =~ s/^\s+|\s+$//gr;
        next if $text eq '' || $text =~ /^commandline\s+"[^"]*"$/;
        if ($text eq '}' && $block) { $block->{close} = $line; undef $block }
        elsif ($block) { $text =~ $record{ $block->{what} } or return; push @{ $block->{lines} }, $line }
        elsif ($text =~ /^(@{[ join '|', @headers ]})\s+$number$/) { $m->{$1} = $line }
        elsif ($text =~ /^(cuts|camera)\s*\{$/) { $block = $m->open_block($1, $line) }
        else { return }
    }
    return !$block && $m->finish ? $m : ();
}

sub open_block ($m, $what, $line) {
    my $block = { what => $what, open => $line, lines => [], counts => [] };
    $block->{block} = $block; # a block is its own list
    push @{ $m->{blocks} }, $block;
    return $m->{$what} = $block;
}

sub finish ($m) {
    return if grep { !$m->{$_} } @headers, qw(cuts camera);
    return if !@{ $m->{camera}{lines} };
    $m->{cuts}{count} = $m->{numCuts};
    $m->{camera}{count} = $m->{numFrames};
    $m->{counts} = [ @$m{qw(numFrames numCuts)} ];
    $m->{data} = [ @{ $m->{camera}{lines} } ];
    $m->{rich} = @{ $m->{camera}{lines} } >= 16;
    return 1;
}

# ---- Choosing --------------------------------------------------------------------------------

sub named ($m, $line) { return $line->{text} =~ s/^\s+|\s+$//gr }
sub frame ($m) { return $m->pick(@{ $m->{camera}{lines} }) }
sub cut ($m) { return $m->pick(@{ $m->{cuts}{lines} }) }
sub lines_of ($m, $block) { return @{ $m->{lines} }[ $m->position($block->{open}) .. $m->position($block->{close}) ] }

# A random frame that is away from cuts and from both ends of the file.
sub inner_frame ($m) {
    my @frames = @{ $m->{camera}{lines} };
    my @cuts = (-1, (map { $m->word($_, 0) } @{ $m->{cuts}{lines} }), $#frames);
    my @inner = grep { my $i = $_; !grep { abs($_ - $i) < 5 } @cuts } 0 .. $#frames;
    return $frames[ $m->pick(@inner) // return ];
}

# ---- Kinds -----------------------------------------------------------------------------------

my @kinds = TextKinds::kinds();
sub kind ($name, $code, @options) { push @kinds, [ $name, $code, @options ] }

for my $what (qw(cuts camera)) {
    kind "$what line dropped" => sub ($m) {
        my $line = $m->pick(@{ $m->{$what}{lines} }) or return;
        return if $what eq 'camera' && @{ $m->{camera}{lines} } < 2;
        $m->right($m->around_list($m->{$what}));
        return $m->drop($line) && $m->named($line);
    };
    kind "$what line doubled" => sub ($m) {
        my $line = $m->pick(@{ $m->{$what}{lines} }) or return;
        $m->right($m->around_list($m->{$what}));
        return $m->double($line) && $m->named($line);
    };
    kind "closing brace of $what removed" => sub ($m) {
        my $block = $m->{$what};
        $m->right($block->{open}, $block->{lines}[-1], ($m->around($block->{close}))[-1]);
        return $m->drop($block->{close}) && $what;
    };
    kind "opening brace of $what removed" => sub ($m) {
        my $block = $m->{$what};
        $m->right($block->{lines}[0] // $block->{close});
        return $m->cut_word($block->{open}, 1) && $what;
    };
    kind "first line of $what dropped" => sub ($m) { $m->drop($m->{$what}{open}) && $what };
    kind "keyword $what misspelt" => sub ($m) {
        return $m->put($m->{$what}{open}, 0, $m->pick(ucfirst $what, substr($what, 0, -1), "${what}x")) && $what;
    };
    kind "block $what dropped" => sub ($m) { $m->drop($m->lines_of($m->{$what})) && $what };
    kind "block $what doubled" => sub ($m) { $m->double($m->lines_of($m->{$what})) && $what };
}

# Header lines.
my %block = (numFrames => 'camera', numCuts => 'cuts');
for my $count (sort keys %block) {
    for my $by (1, -1) {
        kind "$count " . ($by > 0 ? 'one more' : 'one less') => sub ($m) {
            return if $m->word($m->{$count}, 1) + $by < ($count eq 'numFrames');
            $m->right($m->around_list($m->{ $block{$count} }));
            return $m->add_to($m->{$count}, 1, $by) && $m->named($m->{$count});
        };
    }
    kind "$count ten times as large" => sub ($m) {
        my $now = $m->word($m->{$count}, 1) or return;
        $m->right($m->around_list($m->{ $block{$count} }));
        return $m->put($m->{$count}, 1, 10 * $now) && $m->named($m->{$count});
    };
    kind "$count negative" => sub ($m) { $m->put($m->{$count}, 1, -3) && $count };
    kind "$count with a point" => sub ($m) { $m->put($m->{$count}, 1, $m->word($m->{$count}, 1) . '.0') && $count };
}
kind 'header line dropped' => sub ($m) { my $header = $m->pick(@headers); $m->drop($m->{$header}) && $header };
kind 'header line doubled' => sub ($m) { my $header = $m->pick(@headers[ 1 .. 3 ]); $m->double($m->{$header}) && $header };
kind 'two header lines exchanged' => sub ($m) {
    my $i = $m->random(2) + 1;
    return $m->exchange(@$m{ @headers[ $i, $i + 1 ] }) && "$headers[$i] and $headers[$i + 1]";
};
kind 'keyword of the header misspelt' => sub ($m) {
    my $header = $m->pick(@headers);
    return $m->put($m->{$header}, 0, $m->pick(lcfirst($header) . 's', substr($header, 0, -1))) && $header;
};
kind 'keyword of the header in another case' => sub ($m) { my $header = $m->pick(@headers); $m->put($m->{$header}, 0, lc $header) && $header };
kind 'key of a model in the header' => sub ($m) { $m->insert($m->{frameRate}, 'numJoints 33') && 'numJoints 33' };
kind 'frameRate 0' => sub ($m) { $m->put($m->{frameRate}, 1, 0) && 'frameRate 0' };
kind 'frameRate negative' => sub ($m) { $m->put($m->{frameRate}, 1, -24) && 'frameRate -24' };
kind 'frameRate with a point' => sub ($m) { $m->put($m->{frameRate}, 1, $m->word($m->{frameRate}, 1) . '.5') && 'frameRate' };
kind 'frameRate 24000' => sub ($m) { $m->put($m->{frameRate}, 1, 24000) && 'frameRate 24000' };
kind 'MD5Version 11' => sub ($m) { $m->put($m->{MD5Version}, 1, 11) && 'MD5Version 11' };

# Cuts.
sub put_cut ($m, $value) {
    my $cut = $m->cut or return;
    return $m->put($cut, 0, $value->($m->word($cut, 0))) && $m->named($cut);
}
kind 'cut = numFrames' => sub ($m) { put_cut($m, sub ($now) { scalar @{ $m->{camera}{lines} } }) };
kind 'cut ten times as large' => sub ($m) {
    my $last = @{ $m->{camera}{lines} };
    my $cut = $m->pick(grep { 10 * $m->word($_, 0) >= $last } @{ $m->{cuts}{lines} }) or return;
    return $m->put($cut, 0, 10 * $m->word($cut, 0)) && $m->named($cut);
};
kind 'cut 0' => sub ($m) { put_cut($m, sub ($now) { 0 }) };
kind 'cut negative' => sub ($m) { put_cut($m, sub ($now) { -$now }) };
kind 'cut with a point' => sub ($m) { put_cut($m, sub ($now) { "$now.5" }) };
kind 'cut with a comma' => sub ($m) { put_cut($m, sub ($now) { "$now," }) };
kind 'letter in a cut' => sub ($m) { put_cut($m, sub ($now) { $m->pick('l', 'O') . $now }) };
kind 'cut = the one before' => sub ($m) {
    my $i = $m->pick_pair(@{ $m->{cuts}{lines} }) // return;
    my ($one, $other) = @{ $m->{cuts}{lines} }[ $i, $i + 1 ];
    $m->right($one);
    return $m->put($other, 0, $m->word($one, 0)) && $m->named($one);
};
kind 'two cuts exchanged' => sub ($m) {
    my $i = $m->pick_pair(@{ $m->{cuts}{lines} }) // return;
    return $m->exchange(@{ $m->{cuts}{lines} }[ $i, $i + 1 ]) && "cuts $i and " . ($i + 1);
};
kind 'a line of text in the cuts' => sub ($m) { $m->insert($m->{cuts}{open}, "\tdoor opens") && 'text' };
# The number of cuts is right, but a jump is left without one.
kind 'cut removed, numCuts corrected' => sub ($m) {
    my $cut = $m->cut or return;
    my $frame = $m->word($cut, 0);
    return if $frame < 8 || $frame + 9 > @{ $m->{camera}{lines} };
    my $count = $m->word($m->{numCuts}, 1);
    $m->{lines} = [ grep { $_ != $cut } @{ $m->{lines} } ];
    $m->put($m->{numCuts}, 1, $count - 1);
    $m->{right} = [];
    $m->right(@{ $m->{camera}{lines} }[ $frame, $frame + 1 ]);
    return "cut $frame";
}, 'rich';

# Frames.
kind 'a column too many' => sub ($m) {
    my $line = $m->frame;
    return $m->add_word($line, $m->pick(X + 2, QUAT + 2, FOV), '0.25') && $m->named($line);
};
kind 'a column missing' => sub ($m) {
    my $line = $m->frame;
    return $m->cut_word($line, $m->pick(X + 2, QUAT + 2, FOV)) && $m->named($line);
};
kind 'parenthesis removed' => sub ($m) {
    my $line = $m->frame;
    my @words = $m->words($line);
    return $m->cut_word($line, $m->pick(grep { $words[$_] =~ /[()]/ } 0 .. $#words)) && $m->named($line);
};
kind 'second half of a frame lost' => sub ($m) {
    my $line = $m->frame;
    $m->cut_word($line, $_) for reverse QUAT - 1 .. WORDS - 1;
    return $m->named($line);
};
kind 'a line of text between frames' => sub ($m) { my $line = $m->frame; $m->insert($line, "\tdoor opens") && $m->named($line) };
kind 'closing brace between frames' => sub ($m) {
    my $i = $m->pick_pair(@{ $m->{camera}{lines} }) // return;
    $m->right(@{ $m->{camera}{lines} }[ $i, $i + 1 ]);
    return $m->insert($m->{camera}{lines}[$i], '}') && "after frame $i";
};
kind 'two frames on one line' => sub ($m) {
    my $i = $m->pick_pair(@{ $m->{camera}{lines} }) // return;
    my ($one, $other) = @{ $m->{camera}{lines} }[ $i, $i + 1 ];
    return if $one->{text} =~ m{//};
    $one->{text} .= ' ' . $m->named($other);
    $m->drop($other);
    return $m->right($one) && "frame $i";
};
kind 'a frame on two lines' => sub ($m) {
    my $line = $m->frame;
    my ($first, $rest) = $line->{text} =~ /^([^)]*\))\s*(.*)$/ or return;
    $line->{text} = $first;
    return $m->right($line) && $m->insert($line, "\t$rest") && $m->named($line);
};
kind 'field of view 0' => sub ($m) { my $line = $m->frame; $m->put($line, FOV, 0) && $m->named($line) };
kind 'field of view negative' => sub ($m) { my $line = $m->frame; $m->put($line, FOV, '-' . $m->word($line, FOV)) && $m->named($line) };
kind 'field of view 180' => sub ($m) { my $line = $m->frame; $m->put($line, FOV, 180) && $m->named($line) };
kind 'fields of view in radians' => sub ($m) {
    $m->put($_, FOV, sprintf '%.6f', $m->word($_, FOV) * 0.0174532925) for @{ $m->{camera}{lines} };
    return 'all';
};
kind 'a tenth of the field of view in one frame' => sub ($m) {
    my $line = $m->inner_frame or return;
    return $m->put($line, FOV, $m->word($line, FOV) / 10) && $m->named($line);
}, 'rich';
kind 'quaternion component 1.5 in one frame' => sub ($m) { my $line = $m->frame; $m->put($line, QUAT + $m->random(3), '1.5') && $m->named($line) };
kind 'one quaternion spoilt in one frame' => sub ($m) {
    my $line = $m->inner_frame or return;
    my $word = QUAT + $m->random(3);
    my $value = $m->word($line, $word);
    return if abs $value < 0.25;
    return $m->put($line, $word, -$value) && $m->named($line);
}, 'rich';
kind 'one position 100 times as far in one frame' => sub ($m) {
    my $line = $m->frame;
    my $word = X + $m->random(3);
    my $value = $m->word($line, $word);
    return if abs $value < 5;
    return $m->put($line, $word, 100 * $value) && $m->named($line);
}, 'rich';
kind 'one position of a million in one frame' => sub ($m) { my $line = $m->frame; $m->put($line, X + $m->random(3), '-431602080.0') && $m->named($line) }, 'rich';
kind 'frame of zeros' => sub ($m) {
    my $line = $m->frame;
    $m->put($line, $_, 0) for X .. X + 2, QUAT .. QUAT + 2, FOV;
    return $m->named($line);
}, 'rich';
kind 'frame moved by 1000' => sub ($m) { my $line = $m->inner_frame or return; $m->add_to($line, X + $m->random(3), 1000) && $m->named($line) }, 'rich';
kind 'two frames exchanged far apart' => sub ($m) {
    my ($one, $other) = ($m->inner_frame, $m->inner_frame);
    return if !$one || $one == $other;
    my @way = map { $m->word($one, X + $_) - $m->word($other, X + $_) } 0 .. 2;
    return if 1000 > sqrt $way[0]**2 + $way[1]**2 + $way[2]**2;
    $m->{wanted} = 2;
    return $m->exchange($one, $other) && $m->named($one);
}, 'rich';

sub kinds () { return @kinds }

1;
