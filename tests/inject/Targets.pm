# Holds what `md5lint --target=all` says of copies in which one rule finds something against what engines did with the
# cases of that rule: where they loaded none of these, they are not said to load the copy.
package Targets;
use v5.36;
use List::Util 'uniq';
use Lint;

# { rule => [targets that loaded no case of it] }
sub decided () {
    my %decided;
    open my $in, '-|', 'tests/targets/decided' or die "tests/targets/decided: $!\n";
    while (<$in>) {
        my ($rule, $target) = split;
        push @{ $decided{$rule} }, $target;
    }
    close $in or die "tests/targets/decided failed\n";
    return \%decided;
}

# Sets {engines} of each copy that something is decided of: { target => whether it is said to load }.
sub copies ($decided, $reported, @copies) {
    my @one = grep { $_->{rule} = only_rule(map { $reported->{$_} } @{ $_->{group} }) } grep { $_->{group}[0] =~ /\.md5(?:mesh|anim)$/ } @copies;
    @one = grep { $decided->{ $_->{rule} } } @one;
    my $said = Lint::for_targets(map { $_->{group} } @one);
    for my $copy (@one) {
        my @files = map { $said->{$_}{targets} } @{ $copy->{group} };
        $copy->{engines}{$_} = is_said_to_load($_, @files) for @{ $decided->{ $copy->{rule} } };
    }
}

sub only_rule (@files) {
    my @rules = uniq map { $_->{rule} } grep { $_->{severity} ne 'note' } map { @{ $_->{diagnostics} // [] } } @files;
    return @rules == 1 && !(grep { $_->{error} } @files) ? $rules[0] : undef;
}

sub is_said_to_load ($target, @files) { return !grep { $_->{$target}{outcome} !~ /^(?:loads|misplays)$/ } @files }

# Adds a copy to the row of its kind: how many cells there are, and those that are dangerous as `target rule`.
sub count ($copy, $row) {
    my $engines = $copy->{engines} // return;
    $row->{cells} += keys %$engines;
    push @{ $row->{dangerous} }, map { "$row->{kind}: $_: $copy->{rule}" } grep { $engines->{$_} } sort keys %$engines;
}

1;
