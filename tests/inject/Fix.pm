# Fixes copies with a defect, and compares the result with the files that they were made of.
package Fix;
use v5.36;
use File::Copy 'copy';
use File::Path 'make_path';
use Lint;
use Pool;

# What becomes of a copy:
#   identical  it has the bytes of the intact files
#   clean      no error or warning is left, and nothing was lost
#   lost       the same, but with other records or numbers than the intact files
#   flawed     nothing was changed, or an error or warning is left
# A copy without any finding that has a fix is none of these.
use constant OUTCOMES => qw(identical clean lost flawed);
use constant ROUNDING => 0.002;

# Sets {all} and {safe} of each copy that has a fix: what all fixes make of it, and what safe ones do. {wrong} if safe
# fixes hide that something was lost.
sub copies ($folder, $reported, @copies) {
    my @fixable = grep { has_fix(map { $reported->{$_} } @{ $_->{group} }) } @copies;
    for my $copy (@fixable) { $copy->{is_note} = !grep { !Lint::is_clean($reported->{$_}) } @{ $copy->{group} } }
    fix_copies("$folder/all", 'all', ['--unsafe-fixes'], @fixable);
    fix_copies("$folder/safe", 'safe', [], @fixable);
    $_->{wrong} = is_wrong($_) for @fixable;
}

# Counts a copy in the row of its kind. Returns what became of it, the worst of all and safe fixes.
sub count ($copy, $row) {
    my $fixed = $copy->{all} // return 'none';
    $row->{fix}{$_}++ for 'fixable', $fixed;
    $row->{fix}{safe}++ if $copy->{safe} =~ /^(?:identical|clean)$/;
    $row->{fix}{wrong}++ if $copy->{wrong};
    return $copy->{wrong} ? 'wrong' : $fixed;
}

sub has_fix (@files) { return scalar grep { $_->{fix} } map { @{ $_->{diagnostics} // [] } } @files }

sub fix_copies ($folder, $how, $options, @copies) {
    my $n = 0;
    $_->{"group_$how"} = copy_group("$folder-" . $n++, $_->{group}) for @copies;
    my @sorted = sort { extension($a) cmp extension($b) } @copies;
    my @groups = map { $_->{"group_$how"} } @sorted;
    Lint::fix([ @$options, '--notes' ], map { $_->{"group_$how"} } grep { $_->{is_note} } @sorted);
    Lint::fix($options, map { $_->{"group_$how"} } grep { !$_->{is_note} } @sorted);
    my $reported = Lint::files(@groups);
    $_->{$how} = judge($_, $_->{"group_$how"}, $reported) for @copies;
}

sub extension ($copy) { return $copy->{group}[0] =~ s/.*\.//r }

sub copy_group ($folder, $group) {
    make_path($folder);
    copy($_, $folder) or die "$folder: $!\n" for @$group;
    return [ map { "$folder/" . s{.*/}{}r } @$group ];
}

sub judge ($copy, $group, $reported) {
    my @bytes = map { Pool::bytes_of($_) } @$group;
    return 'identical' if join("\0", @bytes) eq $copy->{model}{model}->intact;
    return 'flawed' if "@bytes" eq "@{[ map { Pool::bytes_of($_) } @{ $copy->{group} } ]}";
    my @reported = map { $reported->{$_} } @$group;
    return 'flawed' if (grep { !Lint::is_clean($_) } @reported) || ($copy->{is_note} && Lint::has_new_note($copy->{model}{intact}, \@reported));
    return is_same_content($copy, @bytes) ? 'clean' : 'lost';
}

# The same records, or the same words, of which numbers may be rounded.
sub is_same_content ($copy, @bytes) {
    my ($class, @intact) = ($copy->{class}, intact($copy));
    return "@{[ $class->records(@bytes) ]}" eq "@{[ $class->records(@intact) ]}"
        || ($class->can('all_words') && are_near([ $class->all_words(@bytes) ], [ $class->all_words(@intact) ]));
}

sub intact ($copy) { return map { Pool::bytes_of($_) } @{ $copy->{model}{paths} } }

# ---- Safe fixes ------------------------------------------------------------------------------

# A safe fix must not make a file look whole that is not, nor change a count that was right.
sub is_wrong ($copy) {
    return 0 if $copy->{safe} eq 'identical';
    return 1 if $copy->{safe} eq 'lost';
    return 0 if !$copy->{class}->can('all_words');
    my @texts = map { [ map { Pool::bytes_of($_) } @$_ ] } $copy->{model}{paths}, @$copy{qw(group group_safe)};
    return 1 if is_right_count_changed(@texts);
    return $copy->{safe} eq 'clean' && !are_near(map { [ $copy->{class}->all_words(@$_) ] } @texts[ 0, 2 ]);
}

sub is_right_count_changed (@texts) {
    my ($intact, $copy, $fixed) = map { [ "@$_" =~ /\bnum\w+\s+(\d+)/g ] } @texts;
    return 0 if @$intact != @$copy || @$intact != @$fixed;
    return scalar grep { $intact->[$_] == $copy->[$_] && $fixed->[$_] != $copy->[$_] } 0 .. $#$intact;
}

sub are_near ($one, $other) {
    return 0 if @$one != @$other;
    for my $i (0 .. $#$one) {
        next if $one->[$i] eq $other->[$i];
        my @numbers = grep { /^-?[\d.]+(?:[eE][-+]?\d+)?$/ } $one->[$i], $other->[$i];
        return 0 if @numbers != 2 || abs($numbers[0] - $numbers[1]) > ROUNDING;
    }
    return 1;
}

1;
