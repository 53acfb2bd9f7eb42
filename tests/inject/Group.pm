# Files that belong together, with a defect between them. `parts` are the files by the name of their format.
package Group;
use v5.36;

sub begin ($g, $random) {
    $_->begin($random) for values %{ $g->{parts} };
    @$g{qw(random names wanted also)} = ($random, [], 1, 0);
    return $g;
}

sub parts ($g) { return @{ $g->{parts} }{ @{ $g->{order} } } }
sub bytes ($g) { return map { $_->bytes } $g->parts }
sub all_words ($class, @bytes) { return map { Text->all_words($_) } @bytes }
sub records ($class, @bytes) { return map { Text->records($_) } @bytes }
sub intact ($g) { return join "\0", map { $_->intact } $g->parts }
sub random ($g, $n) { return $g->{random}->($n) }
sub pick ($g, @list) { return @list ? $list[ $g->random(scalar @list) ] : undef }

# Expects findings to name one of these joints, or to be where the parts expect them. Without names, any finding is
# right whose rule compares files, or a mesh as a whole with its joints.
sub names ($g, @names) { push @{ $g->{names} }, @names; return 1 }

sub places ($g) {
    my @marked = grep { @{ $g->{parts}{$_}{right} } || $g->{parts}{$_}{raw} } @{ $g->{order} };
    return join '; ', "names @{ $g->{names} }", map { "$_ " . $g->{parts}{$_}->places } @marked;
}

# With `also`, a second defect is at a right line of its own: one finding there, and one between files.
sub is_right ($g) {
    my %lines = map { my %at = map { $_ => 1 } @{ $g->{parts}{$_}->right_numbers }; ($_ => \%at) } @{ $g->{order} };
    my @names = map { qr/'\Q$_\E'/i } @{ $g->{names} };
    my $also = $g->{also};
    return sub ($finding) {
        my @places = ($finding, @{ $finding->{related} // [] });
        my $here = grep { $lines{ $_->{file} =~ s/.*\.//r }{ $_->{line} } } @places;
        return $here || $finding->{rule} =~ /^cross-bounds/ if $also;
        return 1 if $here;
        return $finding->{rule} =~ /^cross-|-torn$|-mesh-|-turned$|-size$|-order-suspect$/ if !@names;
        return scalar grep { my $text = $_->{message}; grep { $text =~ $_ } @names } @places;
    };
}

1;
