# Defects of declarations of Doom 3: models and entityDefs.
package Def;
use v5.36;
use parent -norequire, 'Text';
use Text;

# Reads a file with one part of a declaration a line; returns nothing for others. `blocks` are the declarations of
# models and entities, each with its type, its first and last line, and the line with its opening brace.
sub parse ($class, $bytes) {
    my $m = Text::new($class, $bytes) or return;
    my ($block, @open, $comment);
    for my $line (@{ $m->{lines} }) {
        my $text = code($line->{text}, \$comment) // return;
        next if $text !~ /\S/;
        if (!$block) {
            my ($type, $name) = $text =~ /^\s*(\w+)\s+("[^"]+"|[\w\/]+)\s*\{?\s*$/ or return;
            $block = { type => lc $type, name => $name, first => $line, lines => [] };
            push @{ $m->{blocks} }, $block if $block->{type} =~ /^(model|entitydef)$/;
        }
        push @{ $block->{lines} }, $line;
        take_braces($m, \$block, \@open, $line, $text) or return;
    }
    return if $block || !$m->{blocks};
    sort_lines($m, $_) for @{ $m->{blocks} };
    $m->{rich} = @{ $m->{anims} // [] } > 2;
    return $m;
}

# A line without comments; the words in strings become `s`.
sub code ($text, $comment) {
    my $code = $text =~ s/"([^"]*)"/'"' . 's' x length($1) . '"'/ger;
    return if $code =~ tr/"// % 2 || $code =~ /['`\@]/;
    if ($$comment) { $$comment = $code !~ m{\*/}; return '' }
    $code =~ s{//.*}{};
    $code =~ s{/\*.*?\*/}{}g;
    $$comment = $code =~ s{/\*.*}{};
    return $code;
}

sub take_braces ($m, $block, $open, $line, $text) {
    for my $brace ($text =~ /[{}]/g) {
        if ($brace eq '{') { push @$open, $line; $$block->{open} //= $line; next }
        my $begins = pop @$open or return;
        push @{ $m->{inner} }, [ $begins, $line ] if @$open == 1 && $$block->{type} eq 'model';
        next if @$open;
        $$block->{last} = $line;
        $$block = undef;
    }
    return 1;
}

# The lines of each kind that are complete by themselves.
sub sort_lines ($m, $block) {
    for my $line (@{ $block->{lines} }) {
        next if $line == $block->{first} || $line == $block->{last};
        my $text = $line->{text};
        $line->{block} = $block;
        if ($block->{type} eq 'entitydef') {
            push @{ $m->{pairs} }, $line if $text =~ /^\s*"\w+"\s+"[^"]+"\s*$/;
            next;
        }
        push @{ $m->{"$1s"} }, $line if $text =~ /^\s*(mesh|anim|channel|offset|frame|inherit)\s+\S+/ && $text !~ m{/\*|^\s*channel\s+\w+\s*$};
        push @{ $m->{flags} }, $line if $text =~ /^\s*(random_cycle_start|ai_no_turn|anim_turn)\s*$/;
    }
}

sub named ($m, $line) { return $line->{text} =~ s/^\s+|\s+$//gr }

my @kinds;
sub kind ($name, $change) { push @kinds, [ $name => $change ] }

# A kind that changes the text of a line of a kind; a pattern that does not match is no place.
sub change ($name, $lines, $pattern, $text) {
    kind $name, sub ($m) {
        my $line = $m->pick(grep { $_->{text} =~ $pattern } @{ $m->{$lines} // [] }) or return;
        my $new = ref $text ? $text : sub { $text };
        $line->{text} =~ s/$pattern/$new->($m)/e;
        return $m->right($line) && $m->named($line);
    };
}

# Exchanges two neighbouring letters that differ.
sub misspell ($m, $word) {
    my @at = grep { substr($word, $_, 1) ne substr($word, $_ + 1, 1) } 0 .. length($word) - 2;
    my $at = $m->pick(@at);
    return substr($word, 0, $at) . reverse(substr($word, $at, 2)) . substr($word, $at + 2);
}

# ---- Braces --------------------------------------------------------------------------------------

# A block that something follows.
sub block_before ($m, $type) {
    my @blocks = @{ $m->{blocks} };
    return $m->pick(grep { $_->{type} eq $type } @blocks);
}

for my $type (qw(model entitydef)) {
    kind "opening brace of $type dropped", sub ($m) {
        my $block = $m->block_before($type) or return;
        return if $block->{lines}[-1] == $block->{first};
        $m->right($block->{first}, $block->{open});
        return $block->{open}{text} =~ s/\{// && $block->{name};
    };
    kind "closing brace of $type dropped", sub ($m) {
        my $block = $m->block_before($type) or return;
        my ($before) = $m->around($block->{last});
        $m->right($block->{last}, $before);
        return $block->{last}{text} =~ s/\}(?=[^}]*$)// && $block->{name};
    };
    kind "extra closing brace after $type", sub ($m) {
        my $block = $m->block_before($type) or return;
        return $m->insert($block->{last}, '}') && $block->{name};
    };
}
kind 'closing brace of an animation dropped', sub ($m) {
    my $pair = $m->pick(grep { $_->[0] != $_->[1] } @{ $m->{inner} // [] }) or return;
    my ($before, $after) = $m->around($pair->[1]);
    $m->right(@$pair, $before, $after, map { $_->{last} } @{ $m->{blocks} });
    return $pair->[1]{text} =~ s/\}// && $m->named($pair->[0]);
};
kind 'closing brace of an animation doubled', sub ($m) {
    my $pair = $m->pick(@{ $m->{inner} // [] }) or return;
    my (undef, $after) = $m->around($pair->[1]);
    $m->right($pair->[1], $after);
    return $pair->[1]{text} =~ s/\}/} }/ && $m->named($pair->[0]);
};

# ---- Declarations --------------------------------------------------------------------------------

kind 'type misspelt', sub ($m) {
    my $block = $m->pick(@{ $m->{blocks} });
    $m->right($block->{first});
    $block->{first}{text} =~ s/(\w+)/misspell($m, $1)/e;
    return $block->{first}{text};
};
kind 'name of a declaration dropped', sub ($m) {
    my $block = $m->pick(@{ $m->{blocks} });
    $m->right($block->{first});
    return $block->{first}{text} =~ s/\s\Q$block->{name}\E// && $block->{name};
};
kind 'declaration doubled with another text', sub ($m) {
    my $block = $m->pick(grep { @{ $_->{lines} } > 2 } @{ $m->{blocks} }) or return;
    my $text = $block->{type} eq 'model' ? "$block->{first}{text}\n}" : "$block->{first}{text}\n}";
    return if $block->{first} != $block->{open};
    return $m->insert($block->{last}, split /\n/, $text) && $block->{name};
};
kind 'comment not closed', sub ($m) {
    my $block = $m->pick(grep { @{ $_->{lines} } > 2 } @{ $m->{blocks} }) or return;
    return if join("\n", map { $_->{text} } @{ $m->{lines} }) =~ m{\*/};
    return $m->insert($block->{last}, '/* the end') && $block->{name};
};
kind 'NUL inside', sub ($m) {
    my $block = $m->pick(@{ $m->{blocks} });
    my $line = $m->pick(@{ $block->{lines} });
    return $line->{text} =~ s/(\w)\w/$1\0/ && $m->right($line) && $m->named($line);
};

# ---- Models --------------------------------------------------------------------------------------

for my $key (qw(mesh anim channel offset inherit)) {
    change "$key misspelt", "${key}s", qr/$key/, sub ($m) { misspell($m, $key) };
    change "$key in upper case", "${key}s", qr/$key/, uc $key;
}
kind 'mesh dropped', sub ($m) {
    my $line = $m->pick(grep { my $block = $_->{block}; grep { $_->{text} =~ /^\s*anim\b/ } @{ $block->{lines} } } @{ $m->{meshs} // [] }) or return;
    my $block = $line->{block};
    return if grep { $_->{text} =~ /inherit/ } @{ $block->{lines} };
    $m->right((grep { $_->{text} =~ /^\s*(anim|channel)\b/ } @{ $block->{lines} })[0]);
    $m->{lines} = [ grep { $_ != $line } @{ $m->{lines} } ];
    return $m->named($line);
};
change 'mesh is a lwo', 'meshs', qr/\.md5mesh/, '.lwo';
change 'path of the mesh dropped', 'meshs', qr/(?<=mesh)\s+\S+/, '';
change 'minus sign in the path of the mesh', 'meshs', qr/(?<=models)\//, '-a/';
change 'path of an animation dropped', 'anims', qr/\s+[\w\/]+\.md5anim(?=\s*$)/, '';
change 'name of an animation dropped', 'anims', qr/(?<=anim)\s+\w+/, '';
change 'name of an animation is a number', 'anims', qr/(?<=anim)\s+\w+/, ' 12';
change 'animation without extension', 'anims', qr/\.md5anim/, '';
change 'comma dropped', 'anims', qr/,(?=\s*\S)/, '';
kind 'animation doubled', sub ($m) {
    my $line = $m->pick(grep { $_->{text} =~ /md5anim\s*$/ } @{ $m->{anims} // [] }) or return;
    return $m->double($line) && $m->named($line);
};
change 'channel name misspelt', 'channels', qr/\b(torso|legs|head|eyelids)\b/, sub ($m) { misspell($m, $1) };
change 'opening parenthesis of a channel dropped', 'channels', qr/\(/, '';
change 'closing parenthesis of a channel dropped', 'channels', qr/\)/, '';
kind 'joint in another channel, too', sub ($m) {
    my @channels = @{ $m->{channels} // [] };
    my ($one) = grep { $_->{text} =~ /\(\s*\*?(\w+)/ } @channels or return;
    my ($joint) = $one->{text} =~ /\(\s*\*?(\w+)/;
    my $other = $m->pick(grep { $_ != $one && $_->{block} == $one->{block} && $_->{text} !~ /\b\Q$joint\E\b/ } @channels) or return;
    $m->right($one, $other);
    return $other->{text} =~ s/\)/$joint )/ && $joint;
};
change 'number of an offset dropped', 'offsets', qr/[\d.]+(?=\s*\))/, '';
change 'commas in an offset', 'offsets', qr/(\d)\s+(?=[-\d])/, sub ($m) { "$1, " };
change 'flag misspelt', 'flags', qr/(\w+)/, sub ($m) { misspell($m, $1) };
change 'frame 0', 'frames', qr/(?<=frame)\s+\d+/, ' 0';
change 'frame negative', 'frames', qr/(?<=frame)\s+(?=\d)/, ' -';
change 'frame with a point', 'frames', qr/(?<=frame)\s+(\d+)/, sub ($m) { " $1.5" };
change 'number of a frame dropped', 'frames', qr/(?<=frame)\s+\d+/, '';
change 'frame misspelt', 'frames', qr/frame/, sub ($m) { misspell($m, 'frame') };
change 'command misspelt', 'frames', qr/(?<=\d\s)([a-z]{4}[a-z_]*)(?=\s|$)/i, sub ($m) { misspell($m, $1) };
change 'command dropped', 'frames', qr/(\d+)\s+\w.*/, sub ($m) { $1 };
change 'argument dropped', 'frames', qr/(\s(?:sound|sound_voice|sound_body|melee|attack_begin|object_call))\s+\w+/, sub ($m) { $1 };

# ---- Entities ------------------------------------------------------------------------------------

for my $i (1 .. 4) {
    kind "quote $i of a line dropped", sub ($m) {
        my $line = $m->pick(@{ $m->{pairs} // [] }) or return;
        my $n = 0;
        $line->{text} =~ s/"/++$n == $i ? '' : '"'/ge;
        return $m->right($line) && $m->named($line);
    };
}
change 'value dropped', 'pairs', qr/(?<=")\s+"[^"]+"/, '';
change 'key not in quotes', 'pairs', qr/"(\w+)"/, sub ($m) { $1 };
kind 'key doubled with another value', sub ($m) {
    my $line = $m->pick(@{ $m->{pairs} // [] }) or return;
    return $m->insert($line, $line->{text} =~ s/"([^"]+)"\s*$/"$1 x"/r) && $m->named($line);
};

sub kinds () { return @kinds }

1;
