# Runs md5lint over many files a process, and judges what it reports about a copy with a defect.
package Lint;
use v5.36;
use JSON::PP;

my $program = ($ENV{B} // 'build') . '/md5lint';
# Two findings of a rule are enough to see that there is more than one; totals are complete anyway.
my @options = ('--format=json', '--notes', '-j2', '--max-per-rule=2', '--max-diagnostics=0', '--');
use constant BATCH => 250;

# Lists of paths, each for one process. A group is a path or a list of paths. Groups of several files have a process
# each, since md5lint finds out which files to compare. Others share one, but only with files of the same format,
# which are not compared with each other.
sub batches (@groups) {
    my @batches;
    for my $paths (map { ref $_ ? $_ : [$_] } @groups) {
        my $kind = @$paths == 1 ? $paths->[0] =~ s/.*\.//r : '';
        my $last = $batches[-1];
        if ($kind ne '' && $last && $last->{kind} eq $kind && @{ $last->{paths} } < BATCH) { push @{ $last->{paths} }, @$paths }
        else { push @batches, { kind => $kind, paths => [@$paths] } }
    }
    return map { $_->{paths} } @batches;
}

# What is reported for each path: { errors, warnings, notes, diagnostics }.
sub files (@groups) { return read_reports(\@options, @groups) }

# What engines do with each path: { targets }. The findings are those of the rules that engines need.
sub for_targets (@groups) { return read_reports([ '--target=all', '--format=json', '-j2', '--' ], @groups) }

sub read_reports ($options, @groups) {
    my %reported;
    for my $paths (batches(@groups)) {
        open my $out, '-|', $program, @$options, @$paths or die "$program: $!\n";
        my $json = do { local $/; <$out> };
        close $out;
        die "$program was ended by signal " . ($? & 127) . ": @$paths\n" if $? & 127;
        my $result = eval { JSON::PP->new->utf8->decode($json) } or die "no JSON from $program: @$paths\n";
        for my $file (@{ $result->{files} }) {
            $reported{ $file->{path} } = $file;
            $_->{file} = $file->{path} for @{ $file->{diagnostics} // [] };
        }
    }
    return \%reported;
}

# Fixes files in place. Status 2 says that a fix was not made, since the file would not be better.
sub fix ($options, @groups) {
    for my $paths (batches(@groups)) {
        my $status = system($program, '--fix-only', '--exit-zero', '-j2', @$options, '--', @$paths);
        $status == 0 || $status == 2 << 8 or die "$program could not fix all of: @$paths\n";
    }
}

sub is_clean ($file) { return $file && !$file->{error} && !$file->{errors} && !$file->{warnings} }

# Outcomes, the best first.
use constant OUTCOMES => qw(one several elsewhere note missed);

# `wanted` is how many findings there should be, `is_right` says whether a finding is at a right place. The intact
# files have no error and no warning, so each of these is new; a note is new if there are more of its rule than before.
sub judge ($wanted, $is_right, $intact, @reported) {
    my @found = map { grep { $_->{severity} ne 'note' } @{ $_->{diagnostics} } } @reported;
    my $total = 0;
    $total += ($_->{error} ? 1 : 0) + ($_->{errors} // 0) + ($_->{warnings} // 0) for @reported;
    return has_new_note($intact, \@reported) ? 'note' : 'missed' if $total == 0;
    return 'several' if $total > $wanted;
    return 'missed' if $total < $wanted;
    return (grep { !$is_right->($_) } @found) ? 'elsewhere' : 'one';
}

sub has_new_note ($intact, $reported) {
    my (%before, %now);
    $before{ $_->{rule} }++ for map { @{ $_->{diagnostics} // [] } } @$intact;
    $now{ $_->{rule} }++ for map { @{ $_->{diagnostics} // [] } } @$reported;
    return 1 if grep { !$before{$_} } keys %now;
    return total_notes(@$reported) > total_notes(@$intact);
}

sub total_notes (@files) {
    my $sum = 0;
    $sum += $_->{notes} // 0 for @files;
    return $sum;
}

# Whether a finding, or a related place of it, is on one of the lines.
sub on_lines ($lines) {
    my %right = map { $_ => 1 } @$lines;
    return sub ($finding) { scalar grep { $right{ $_->{line} // 1 } } $finding, @{ $finding->{related} // [] } };
}

# Whether a finding, or a related place of it, touches one of the ranges [offset, length] of a binary.
sub in_ranges ($ranges) {
    return sub ($finding) {
        for my $place ($finding, @{ $finding->{related} // [] }) {
            my ($from, $to) = ($place->{offset}, $place->{offset} + ($place->{length} || 1));
            return 1 if grep { $from < $_->[0] + $_->[1] && $_->[0] < $to } @$ranges;
        }
        return 0;
    };
}

1;
