# Defects of an md4. Places are ranges of bytes, [offset, length].
package Md4;
use v5.36;
use Lint;

# Offsets of fields: of the file's header, and from a surface's beginning.
my %header = (numFrames => 72, numBones => 76, numSurfs => 80, ofsFrames => 84, ofsBones => 88, ofsSurfs => 92, ofsEnd => 96);
my %surface = (minLod => 140, ofsHeader => 144, numVerts => 148, ofsVerts => 152, numTris => 156, ofsTris => 160, numBoneRefs => 164,
    ofsBoneRefs => 168, ofsCollapseMap => 172, ofsEnd => 176);
# Sizes of records, and offsets of fields in the header and in a bone.
use constant { HEADER => 100, BONE => 40, FRAME => 40, MATRIX => 48, SURFACE => 180, VERTEX => 36, WEIGHT => 20, TRI => 12 };
use constant { VERSION => 4, NAME => 8, PARENT => 32 };

sub parse ($class, $bytes) {
    return if length $bytes < HEADER + SURFACE || substr($bytes, 0, 4) ne 'IDP4';
    my $m = bless { old => $bytes }, $class;
    $m->begin(undef);
    $m->{$_} = $m->int_at($header{$_}) for keys %header;
    $m->{frame_size} = FRAME + MATRIX * $m->{numBones};
    my $at = $m->{ofsSurfs};
    for (1 .. $m->{numSurfs}) { push @{ $m->{surfaces} }, $m->read_surface($at); $at += $m->{surfaces}[-1]{ofsEnd} }
    $m->{rich} = grep { $_->{numTris} >= 60 } @{ $m->{surfaces} };
    return $m;
}

sub read_surface ($m, $at) {
    my $s = { at => $at, map { $_ => $m->int_at($at + $surface{$_}) } keys %surface };
    my $vertex = $at + $s->{ofsVerts};
    for (1 .. $s->{numVerts}) {
        push @{ $s->{verts} }, $vertex;
        $vertex += VERTEX + WEIGHT * $m->int_at($vertex + VERTEX - 4);
    }
    $s->{ends} = {
        verts => $vertex,
        tris  => $at + $s->{ofsTris} + TRI * $s->{numTris},
        refs  => $at + $s->{ofsBoneRefs} + 4 * $s->{numBoneRefs},
    };
    return $s;
}

sub begin ($m, $random) {
    @$m{qw(bytes random right)} = ($m->{old}, $random, []);
    return $m;
}
sub bytes ($m) { return $m->{bytes} }
# What says that no record was lost or added: the size and the counts. Nothing if the file cannot be read.
sub records ($class, $bytes) {
    my $m = eval { no warnings; $class->parse($bytes) } or return;
    return (length $bytes, @$m{qw(numFrames numBones numSurfs)}, map { @$_{qw(numVerts numTris numBoneRefs)} } @{ $m->{surfaces} });
}
sub intact ($m) { return $m->{old} }
sub is_right ($m) { return Lint::in_ranges($m->{right}) }
sub places ($m) { return 'bytes ' . join ' ', map { sprintf '0x%x+%d', @$_ } @{ $m->{right} } }

# ---- Choosing and changing -------------------------------------------------------------------

sub random ($m, $n) { return $m->{random}->($n) }
sub pick ($m, @list) { return @list ? $list[ $m->random(scalar @list) ] : undef }
sub int_at ($m, $at) { return unpack 'l<', substr $m->{bytes}, $at, 4 }
sub float_at ($m, $at) { return unpack 'f<', substr $m->{bytes}, $at, 4 }
sub right ($m, @ranges) { push @{ $m->{right} }, @ranges; return 1 }
sub put_bytes ($m, $at, $bytes) { substr($m->{bytes}, $at, length $bytes) = $bytes; return $m->right([ $at, length $bytes ]) }
sub put_int ($m, $at, $value) { return $m->put_bytes($at, pack 'l<', $value) && sprintf '0x%x: %d', $at, $value }
sub put_float ($m, $at, $value) { return $m->put_bytes($at, pack 'f<', $value) && sprintf '0x%x: %g', $at, $value }

sub any_surface ($m) { return $m->pick(@{ $m->{surfaces} }) }
sub any_vertex ($m) { my $s = $m->any_surface; return $s->{numVerts} ? $m->pick(@{ $s->{verts} }) : undef }
sub weights ($m, $vertex) { return map { $vertex + VERTEX + WEIGHT * $_ } 0 .. $m->int_at($vertex + VERTEX - 4) - 1 }
sub any_weight ($m, $fits = sub ($at) { 1 }) {
    my $vertex = $m->any_vertex // return;
    my $weight = $m->pick(grep { $fits->($_) } $m->weights($vertex)) // return;
    $m->right([ $vertex, VERTEX ]);
    return $weight;
}
sub any_tri ($m) { my $s = $m->any_surface; return $s->{numTris} ? ($s, $s->{at} + $s->{ofsTris} + TRI * $m->random($s->{numTris})) : () }
# A matrix of a random frame. What is reported of the frame's box names the frame, too.
sub any_matrix ($m) {
    my $frame = $m->any_frame;
    $m->right([ $frame, FRAME ]);
    return $frame + FRAME + MATRIX * $m->random($m->{numBones});
}
sub any_frame ($m) { return $m->{ofsFrames} + $m->{frame_size} * $m->random($m->{numFrames}) }
sub any_bone ($m) { return $m->random($m->{numBones}) }

# ---- Kinds -----------------------------------------------------------------------------------

my @kinds;
sub kind ($name, $code, @options) { push @kinds, [ $name, $code, @options ] }

# A count or offset is right where it is, where the block begins and ends that it describes, and at the fields that
# describe the same block or say where the container ends.
my %partner = map { ("num$_" => "ofs$_") } qw(Frames Bones Surfs Verts Tris BoneRefs);
sub field_right ($m, $field, $fields, $base, @edges) {
    my %same = (%partner, reverse %partner);
    $m->right(map { [ $base + $fields->{$_}, 4 ] } grep { defined } $field, $same{$field});
    return $m->right(map { [ $_ - 4, 8 ] } @edges);
}
sub header_field ($m, $field, $value) {
    my %block = (Frames => [ $m->{ofsFrames}, $m->{ofsFrames} + $m->{numFrames} * $m->{frame_size} ],
        Bones => [ $m->{ofsBones}, $m->{ofsBones} + BONE * $m->{numBones} ], Surfs => [ $m->{ofsSurfs}, $m->{ofsEnd} ], End => [ length $m->{bytes} ]);
    field_right($m, $field, \%header, 0, @{ $block{ $field =~ s/^num|^ofs//r } });
    return $m->put_int($header{$field}, $value->($m->{$field})) . " in $field";
}
sub surface_field ($m, $field, $value) {
    my $s = $m->any_surface;
    my %block = (
        Verts => [ $s->{at} + $s->{ofsVerts}, $s->{ends}{verts} ],
        Tris => [ $s->{at} + $s->{ofsTris}, $s->{ends}{tris} ],
        BoneRefs => [ $s->{at} + $s->{ofsBoneRefs}, $s->{ends}{refs} ],
        CollapseMap => [ $s->{at} + $s->{ofsCollapseMap} ],
        End => [ $s->{at} + $s->{ofsEnd} ],
        Header => [],
    );
    field_right($m, $field, \%surface, $s->{at}, @{ $block{ $field =~ s/^num|^ofs//r } });
    return $m->put_int($s->{at} + $surface{$field}, $value->($s->{$field})) . " in $field";
}
my @header_fields = sort keys %header;
my @surface_fields = grep { $_ ne 'minLod' } sort keys %surface;
for my $part ([ \&header_field, '', @header_fields ], [ \&surface_field, "a surface's ", @surface_fields ]) {
    my ($change, $whose, @fields) = @$part;
    for my $which (qw(num ofs)) {
        my @of = grep { /^$which/ } @fields;
        for my $field (@of) {
            kind "$whose$field off by one" => sub ($m) { my $by = $m->pick(1, -1); $change->($m, $field, sub ($n) { $n + $by }) };
        }
        kind "$whose$which* negative" => sub ($m) { $change->($m, $m->pick(@of), sub ($n) { -$n - 4 }) };
        kind "$whose$which* past the end" => sub ($m) { my $past = 4 * length $m->{bytes}; $change->($m, $m->pick(@of), sub ($n) { $n + $past }) };
        kind "$whose$which* 0" => sub ($m) { $change->($m, $m->pick(@of), sub ($n) { 0 }) };
    }
    kind "${whose}ofs* 4 more or less" => sub ($m) { my $by = $m->pick(4, -4); $change->($m, $m->pick(grep { /^ofs/ } @fields), sub ($n) { $n + $by }) };
}

# The file as a whole.
kind 'ident IDP3' => sub ($m) { $m->put_bytes(0, 'IDP3') && 'ident' };
kind 'version 5' => sub ($m) { $m->put_int(VERSION, 5) };
kind 'name without its NUL' => sub ($m) {
    my $s = $m->any_surface;
    my ($at, $length) = @{ $m->pick([ NAME, 64 ], [ $s->{at} + 4, 64 ], [ $s->{at} + 68, 64 ], [ $m->{ofsBones} + BONE * $m->any_bone, 32 ]) };
    return $m->put_bytes($at, 'x' x $length) && sprintf '0x%x', $at;
};
kind 'LF made CR LF' => sub ($m) {
    return if $m->{bytes} !~ /\n/;
    my $first = index $m->{bytes}, "\n";
    $m->{bytes} =~ s/\n/\r\n/g;
    return shifted($m, $first) && 'the whole file';
};
kind 'byte order mark' => sub ($m) { $m->{bytes} = "\xef\xbb\xbf$m->{bytes}"; $m->right([ 0, 4 ]) && 'at the start' };
kind '4 bytes lost' => sub ($m) {
    my $at = 4 * $m->random(length($m->{bytes}) / 4);
    substr($m->{bytes}, $at, 4) = '';
    return shifted($m, $at) && "at $at";
};
kind '4 bytes put in' => sub ($m) {
    my $at = 4 * $m->random(length($m->{bytes}) / 4);
    substr($m->{bytes}, $at, 0) = "\1\2\3\4";
    return shifted($m, $at) && "at $at";
};
kind '1 byte lost' => sub ($m) { my $at = $m->random(length $m->{bytes}); substr($m->{bytes}, $at, 1) = ''; shifted($m, $at) && "at $at" };
kind 'cut' => sub ($m) {
    my $at = 1 + $m->random(length($m->{bytes}) - 1);
    $m->{bytes} = substr $m->{bytes}, 0, $at;
    return shifted($m, $at) && "$at bytes are left";
};
kind 'file twice' => sub ($m) { my $length = length $m->{bytes}; $m->{bytes} x= 2; shifted($m, $length) && 'the whole file' };
kind 'zeros for the second half' => sub ($m) {
    my $half = int(length($m->{bytes}) / 2);
    substr($m->{bytes}, $half) = "\0" x (length($m->{bytes}) - $half);
    return $m->right([ $half - 4, length $m->{bytes} ]) && "from $half";
};

# Where everything after a place has moved, right is this place and the block that it is in, the file's end, and
# ofsEnd, which says where that should be.
sub shifted ($m, $at) {
    my @in_surfaces = map {
        my $s = $_;
        map { $s->{at} + $s->{$_} } qw(ofsVerts ofsTris ofsBoneRefs ofsCollapseMap ofsEnd);
    } @{ $m->{surfaces} };
    my @starts = sort { $a <=> $b } 0, @$m{qw(ofsFrames ofsBones ofsSurfs ofsEnd)}, @in_surfaces;
    my ($from) = reverse grep { $_ <= $at } @starts;
    my ($to) = grep { $_ > $at } @starts, $at + 4;
    return $m->right([ $from, $to - $from + 4 ], [ length($m->{bytes}) - 1, 2 ], [ $header{ofsEnd}, 4 ]);
}

# References and numbers.
kind 'boneRef = numBones' => sub ($m) {
    my $s = $m->pick(grep { $_->{numBoneRefs} } @{ $m->{surfaces} }) or return;
    return $m->put_int($s->{at} + $s->{ofsBoneRefs} + 4 * $m->random($s->{numBoneRefs}), $m->{numBones});
};
kind 'boneRef twice' => sub ($m) {
    my $s = $m->pick(grep { $_->{numBoneRefs} > 1 } @{ $m->{surfaces} }) or return;
    my $at = $s->{at} + $s->{ofsBoneRefs} + 4 * $m->random($s->{numBoneRefs} - 1);
    $m->right([ $at, 4 ]);
    return $m->put_int($at + 4, $m->int_at($at));
};
kind 'boneIndex = number of bones' => sub ($m) { my $at = $m->any_weight // return; $m->put_int($at, $m->{numBones}) };
kind 'boneIndex -1' => sub ($m) { my $at = $m->any_weight // return; $m->put_int($at, -1) };
kind 'triangle index = numVerts' => sub ($m) { my ($s, $at) = $m->any_tri or return; $m->put_int($at + 4 * $m->random(3), $s->{numVerts}) };
kind 'triangle index -1' => sub ($m) { my ($s, $at) = $m->any_tri or return; $m->put_int($at + 4 * $m->random(3), -1) };
kind 'triangle with one corner twice' => sub ($m) {
    my ($s, $at) = $m->any_tri or return;
    $m->right([ $at, TRI ]);
    return $m->put_int($at, $m->int_at($at + 4));
};
kind 'triangle turned round' => sub ($m) {
    my ($s, $at) = $m->any_tri or return;
    return if $s->{numTris} < 60;
    my ($one, $other) = map { $m->int_at($at + 4 * $_) } 0, 1;
    $m->right([ $at, TRI ]);
    $m->put_int($at, $other);
    return $m->put_int($at + 4, $one);
}, 'rich';
kind 'weight sum 0.93' => sub ($m) {
    my $at = $m->any_weight(sub ($at) { $m->float_at($at + 4) > 0.1 }) // return;
    return $m->put_float($at + 4, $m->float_at($at + 4) - 0.07);
};
kind 'weight -0.1' => sub ($m) { my $at = $m->any_weight // return; $m->put_float($at + 4, -0.1) };
kind 'weight NaN' => sub ($m) { my $at = $m->any_weight // return; $m->put_float($at + 4, 'nan') };
kind 'offset of a weight 100 times as far' => sub ($m) {
    my $at = $m->any_weight(sub ($at) { $m->float_at($at + 4) > 0.3 && grep { abs $m->float_at($at + $_) > 1 } 8, 12, 16 }) // return;
    $m->put_float($at + $_, 100 * $m->float_at($at + $_)) for 8, 12, 16;
    return "$at";
}, 'rich';
kind 'numWeights one more' => sub ($m) { number_of_weights($m, 1) };
kind 'numWeights one less' => sub ($m) { number_of_weights($m, -1) };
kind 'numWeights 9' => sub ($m) { my $at = $m->any_vertex // return; $m->put_int($at + VERTEX - 4, 9) };
sub number_of_weights ($m, $by) {
    my $at = $m->any_vertex // return;
    my ($s) = grep { $_->{verts}[0] <= $at && $at < $_->{ends}{verts} } @{ $m->{surfaces} };
    $m->right([ $at, VERTEX + WEIGHT * 9 ], [ $s->{ends}{verts} - 4, 8 ]);
    return $m->put_int($at + VERTEX - 4, $by + $m->int_at($at + VERTEX - 4));
}
kind 'normal of zeros' => sub ($m) { my $at = $m->any_vertex // return; $m->put_float($at + $_, 0) for 12, 16, 20; "$at" };
kind 'normal three times as long' => sub ($m) {
    my $at = $m->any_vertex // return;
    $m->put_float($at + $_, 3 * $m->float_at($at + $_)) for 12, 16, 20;
    return "$at";
};
kind 'position NaN' => sub ($m) { my $at = $m->any_vertex // return; $m->put_float($at + 4 * $m->random(3), 'nan') };
kind 'texture coordinate 50000' => sub ($m) { my $at = $m->any_vertex // return; $m->put_float($at + 24 + 4 * $m->random(2), 50000) };

# Bones and frames.
sub parent ($m, $value) {
    my $bone = $m->any_bone;
    my $new = $value->($bone) // return;
    $m->right([ $m->{ofsBones} + BONE * $bone, BONE ]);
    return $m->put_int($m->{ofsBones} + BONE * $bone + PARENT, $new);
}
kind 'parent = itself' => sub ($m) { parent($m, sub ($bone) { $bone }) };
kind 'parent = numBones' => sub ($m) { parent($m, sub ($bone) { $m->{numBones} }) };
kind 'parent = -2' => sub ($m) { parent($m, sub ($bone) { -2 }) };
kind 'bone name twice' => sub ($m) {
    return if $m->{numBones} < 2;
    my $at = $m->{ofsBones} + BONE * $m->random($m->{numBones} - 1);
    $m->right([ $at, BONE ]);
    return $m->put_bytes($at + BONE, substr $m->{bytes}, $at, 32) && "$at";
};
kind 'bone name empty' => sub ($m) { my $at = $m->{ofsBones} + BONE * $m->any_bone; $m->put_bytes($at, "\0" x 32) && "$at" };
sub matrix ($m, $change) {
    my $at = $m->any_matrix;
    my @v = map { $m->float_at($at + 4 * $_) } 0 .. 11;
    my @new = @v;
    $change->(\@new);
    $m->right([ $at, MATRIX ]);
    $m->put_float($at + 4 * $_, $new[$_]) for grep { $new[$_] != $v[$_] } 0 .. 11;
    return "matrix at $at";
}
my @turn = (0, 1, 2, 4, 5, 6, 8, 9, 10);
kind 'matrix scaled' => sub ($m) { matrix($m, sub ($v) { $v->[$_] *= 1.5 for @turn }) };
kind 'matrix mirrored' => sub ($m) { matrix($m, sub ($v) { $v->[$_] = -$v->[$_] for 0, 4, 8 }) };
kind 'matrix of zeros' => sub ($m) { matrix($m, sub ($v) { @$v = (0) x 12 }) };
kind 'matrix NaN' => sub ($m) { my $at = $m->any_matrix; $m->put_float($at + 4 * $m->random(12), 'nan') };
# That of half a turn is the same transposed.
kind 'matrix transposed' => sub ($m) {
    my $apart = 0;
    my $what = matrix($m, sub ($v) {
        my @old = @$v;
        for my $row (0 .. 2) { $v->[ 4 * $row + $_ ] = $old[ 4 * $_ + $row ] for 0 .. 2 }
        $apart = (sort { $b <=> $a } map { abs($v->[$_] - $old[$_]) } 0 .. 10)[0];
    });
    return $apart > 0.01 && $what;
}, 'rich';
kind 'a bone moved by 500 in one frame' => sub ($m) { matrix($m, sub ($v) { $v->[3] += 500 }) }, 'rich';
sub frame ($m, $change) {
    my $at = $m->any_frame;
    my @v = map { $m->float_at($at + 4 * $_) } 0 .. 9;
    my @new = @v;
    $change->(\@new);
    $m->right([ $at, FRAME ]);
    $m->put_float($at + 4 * $_, $new[$_]) for grep { $new[$_] != $v[$_] } 0 .. 9;
    return "frame at $at";
}
kind "a frame's bounds halved" => sub ($m) { frame($m, sub ($v) { $_ *= 0.5 for @$v }) }, 'rich';
kind "a frame's minimum and maximum exchanged" => sub ($m) { frame($m, sub ($v) { @$v[ 0 .. 5 ] = @$v[ 3 .. 5, 0 .. 2 ] }) };
# In a file of few frames such boxes may be placeholders.
kind "a frame's bounds zero" => sub ($m) { $m->{numFrames} >= 4 && frame($m, sub ($v) { @$v = (0) x 10 }) };
kind "a frame's radius 0" => sub ($m) { frame($m, sub ($v) { $v->[9] = 0 }) };
kind "a frame's radius halved" => sub ($m) { frame($m, sub ($v) { $v->[9] /= 2 }) };
kind "a frame's localOrigin moved" => sub ($m) { frame($m, sub ($v) { $v->[6] += 100 }) };

# Levels of detail.
sub collapse ($m, $value) {
    my $s = $m->any_surface;
    return if $s->{numVerts} < 2;
    my $i = 1 + $m->random($s->{numVerts} - 1);
    return $m->put_int($s->{at} + $s->{ofsCollapseMap} + 4 * $i, $value->($s, $i));
}
kind 'collapse map entry = its own index' => sub ($m) { collapse($m, sub ($s, $i) { $i }) };
kind 'collapse map entry = numVerts' => sub ($m) { collapse($m, sub ($s, $i) { $s->{numVerts} }) };
kind 'minLod above numVerts' => sub ($m) { my $s = $m->any_surface; $m->put_int($s->{at} + $surface{minLod}, $s->{numVerts} + 1) };
kind 'minLod -1' => sub ($m) { my $s = $m->any_surface; $m->put_int($s->{at} + $surface{minLod}, -1) };

sub kinds () { return @kinds }

1;
