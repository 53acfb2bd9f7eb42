# The tables of what was found and of what was fixed, and their comparison with least.txt and fixable.txt.
package Report;
use v5.36;
use List::Util qw(sum0 uniq);
use Fix;
use Lint;

use constant ENOUGH => 80;

sub percent ($row) { return $row->{count} ? 100 * ($row->{one} // 0) / $row->{count} : 0 }
sub mean (@rows) { return @rows ? sum0(map { percent($_) } @rows) / @rows : 0 }

# Rows are { family, kind, count, files, one, several, elsewhere, note, missed }. For a kind of which least.txt says that a
# note is what it should get, a note is right. Kinds that it calls hidden are shown, but are in no mean.
sub table ($least, @all) {
    for my $row (grep { $least->{note}{ $_->{kind} } } @all) {
        $row->{one} = ($row->{one} // 0) + ($row->{note} // 0);
        $row->{note} = 0;
    }
    my @rows = grep { !$least->{hidden}{ $_->{kind} } } @all;
    print_rows(@all);
    for my $family (uniq map { $_->{family} } @rows) {
        my @of = grep { $_->{family} eq $family } @rows;
        printf "%-8s %3d kinds, mean %5.1f%%\n", $family, scalar @of, mean(@of);
    }
    printf "%-8s %3d kinds, mean %5.1f%%, %d copies\n", 'all', scalar @rows, mean(@rows), sum0(map { $_->{count} } @rows);
    my @low = sort { percent($a) <=> percent($b) } grep { percent($_) < ENOUGH } @rows;
    printf "\nunder %d%%: %d kinds\n", ENOUGH, scalar @low;
    printf "  %3.0f%% %s\n", percent($_), $_->{kind} for @low;
    my @hidden = grep { $least->{hidden}{ $_->{kind} } } @all;
    printf "\nnot to be seen in the files: %d kinds\n", scalar @hidden if @hidden;
    printf "  %3.0f%% %s\n", percent($_), $_->{kind} for @hidden;
    return @rows;
}

sub print_rows (@rows) {
    my $width = 1 + (sort { $b <=> $a } map { length $_->{kind} } @rows)[0];
    printf "%-*s%6s %5s %5s %7s %9s %4s %6s\n", $width, 'kind', 'count', 'files', 'one%', 'several', 'elsewhere', 'note', 'missed';
    for my $row (@rows) {
        printf "%-*s%6d %5d %5.0f %7d %9d %4d %6d\n", $width, @$row{qw(kind count files)}, percent($row),
            map { $row->{$_} // 0 } qw(several elsewhere note missed);
    }
    print "\n";
}

# The table of what fixes make of the copies. Returns rows like those above of the kinds that fixable.txt lists, in which
# `one` is how many are identical or clean.
sub fixes ($fixable, @all) {
    my @columns = ('fixable', Fix::OUTCOMES, 'safe', 'wrong');
    my @listed = grep { $fixable->{fixed}{ $_->{kind} } || defined $fixable->{kinds}{ $_->{kind} } } @all;
    my %is_listed = map { $_->{kind} => 1 } @listed;
    my $width = 1 + (sort { $b <=> $a } map { length $_->{kind} } @all)[0];
    printf "\n%-*s%6s %4s" . ' %9s' x @columns . "\n", $width, 'fixes', 'count', 'ok%', @columns;
    for my $row (grep { $_->{fix} || $is_listed{ $_->{kind} } } @all) {
        printf "%-*s%6d %4s" . ' %9d' x @columns . "\n", $width, @$row{qw(kind count)},
            $is_listed{ $row->{kind} } ? sprintf '%.0f', percent(fixed($row)) : '', map { $row->{fix}{$_} // 0 } @columns;
    }
    my @rows = map { fixed($_) } @listed;
    printf "%d fixable kinds, mean %.1f%%: %s\n", scalar @rows, mean(@rows),
        join ', ', map { my $column = $_; sum0(map { $_->{fix}{$column} // 0 } @listed) . " $column" } @columns;
    return @rows;
}

sub fixed ($row) { return { %$row{qw(family kind count)}, one => ($row->{fix}{identical} // 0) + ($row->{fix}{clean} // 0) } }

# Safe fixes that hide a loss.
sub wrong ($fixable, @all) {
    return map { "$_->{kind}: $_->{fix}{wrong} safe fixes are wrong" } grep { $_->{fix}{wrong} && !$fixable->{wrong}{ $_->{kind} } } @all;
}

# What is said of engines. Returns what is dangerous.
sub engines (@all) {
    my @dangerous = map { @{ $_->{dangerous} // [] } } @all;
    printf "engines: %d cells, %d dangerous\n", sum0(map { $_->{cells} // 0 } @all), scalar @dangerous;
    return map { "$_ is said to load it" } @dangerous;
}

# least.txt: `mean full N` and `mean share N`, `KIND: note: why`, `KIND: hidden: why`, `KIND: real: why`, and `KIND: N%: why` for each other kind
# below ENOUGH. fixable.txt has `KIND: fixed` for the kinds from ENOUGH on, and `KIND: wrong: why`.
sub read_least ($path) {
    my %least = (name => $path =~ s{.*/}{}r, map { $_ => {} } qw(kinds note hidden real fixed wrong));
    open my $in, '<', $path or die "$path: $!\n";
    while (<$in>) {
        next if /^#|^\s*$/;
        if (/^mean (full|share) ([\d.]+)$/) { $least{$1} = $2 }
        elsif (/^(.+): (note|hidden|real|wrong): \S.*$/) { $least{$2}{$1} = 1 }
        elsif (/^(.+): fixed$/) { $least{fixed}{$1} = 1 }
        elsif (/^(.+): (\d+)%: \S.*$/) { $least{kinds}{$1} = $2 }
        else { die "$path:$.: expected `KIND: N%: why`\n" }
    }
    return \%least;
}

# The probability that at most `k` of `n` are right, if each is with probability `p`.
sub chance ($k, $n, $p) {
    return 1 if $p <= 0 || $k >= $n;
    return 0 if $p >= 1;
    my ($term, $sum) = ((1 - $p)**$n, 0);
    for my $i (0 .. $k) {
        $sum += $term;
        $term *= ($n - $i) / ($i + 1) * $p / (1 - $p);
    }
    return $sum;
}

# A share has few places a kind, so a kind fails only if that few right ones would come up less than once in a
# thousand; the mean shows smaller losses. A run as recorded ($full) compares the percentages themselves: only there a
# kind of least.txt that is now at ENOUGH is a failure, since with few places that happens by chance.
sub compare ($least, $full, $all_kinds, @rows) {
    my @failures;
    for my $row (@rows) {
        my ($name, $one) = ($row->{kind}, percent($row));
        my $listed = $least->{kinds}{$name};
        my $expected = $listed // ENOUGH;
        if (!$row->{count}) { push @failures, "$name: no file has a place for it"; next }
        my $too_few = $full ? $one < $expected - 0.5 : chance($row->{one} // 0, $row->{count}, $expected / 100) < 0.001;
        push @failures, sprintf '%s: %.0f%%, expected at least %d%%', $name, $one, $expected if $too_few;
        push @failures, sprintf '%s: %.0f%%; remove it from %s', $name, $one, $least->{name} if $full && defined $listed && $one >= ENOUGH;
    }
    return @failures if !$all_kinds;
    my %known = map { $_->{kind} => 1 } @rows;
    push @failures, "$_: $least->{name} lists it, but there is no such kind" for grep { !$known{$_} && !$least->{hidden}{$_} } map { sort keys %$_ } @$least{qw(kinds note fixed)};
    my $mean = $full ? $least->{full} : $least->{share};
    push @failures, sprintf '%s: the mean is %.1f%%, expected at least %s%%', $least->{name}, mean(@rows), $mean if mean(@rows) < $mean;
    return @failures;
}

1;
