# A text file as lines that keep their identity while one defect is put in, so that a line which was marked as the
# right place for a finding is found again when other lines have come or gone.
package Text;
use v5.36;

# Files with carriage returns or NULs are left to the corpus: returns nothing for them.
sub new ($class, $bytes) {
    return if $bytes !~ /\n\z/ || $bytes =~ /[\r\0]/;
    my @lines = map { { text => $_, old => $_ } } $bytes =~ /(.*)\n/g;
    return bless { bytes => $bytes, all => [@lines], lines => [@lines] }, $class;
}

# Takes back what was done; `random` returns an integer from 0 to below its argument.
sub begin ($self, $random) {
    $_->{text} = $_->{old} for @{ $self->{all} };
    $self->{lines} = [ @{ $self->{all} } ];
    @$self{qw(random right raw also)} = ($random, [], undef, undef);
    return $self;
}

sub bytes ($self) { return $self->{raw} // join '', map { "$_->{text}\n" } @{ $self->{lines} } }

# Where a finding is expected, as line numbers.
sub right_numbers ($self) {
    return $self->{numbers} if defined $self->{raw};
    my %marked = map { $_ => 1 } @{ $self->{right} };
    my $n = 0;
    return [ map { $n++; $marked{$_} ? $n : () } @{ $self->{lines} } ];
}

# The words of a text without its comments.
sub all_words ($class, $bytes) {
    my @words = $bytes =~ s{//.*}{}gr =~ /"[^"]*"|[(){}]|[^\s(){}"]+/g;
    return @words;
}

# What says that no record was lost or added: the number of words.
sub records ($class, $bytes) { return scalar(() = $class->all_words($bytes)) }

sub intact ($self) { return $self->{bytes} }
sub places ($self) { return 'lines ' . join ' ', @{ $self->right_numbers } }
sub is_right ($self) { return Lint::on_lines($self->right_numbers) }

# ---- Choosing --------------------------------------------------------------------------------

sub random ($self, $n) { return $self->{random}->($n) }
sub pick ($self, @list) { return @list ? $list[ $self->random(scalar @list) ] : undef }

# The index of a random pair of neighbours in a list.
sub pick_pair ($self, @list) { return @list < 2 ? undef : $self->random(@list - 1) }

# ---- Words of a line: names in quotes, parentheses, numbers; not the comment ------------------

sub words ($self, $line) { return map { $_->[0] } spans($line->{text}) }

sub spans ($text) {
    my @spans;
    while ($text =~ /\G\s*("[^"]*"|[(){}]|[^\s(){}"]+)/gc) {
        last if $1 =~ m{^//};
        push @spans, [ $1, $-[1], $+[1] - $-[1] ];
    }
    return @spans;
}

sub word ($self, $line, $i) { return (spans($line->{text}))[$i][0] }

# Replaces word `i`, and expects a finding in this line.
sub put ($self, $line, $i, $word) {
    my $span = (spans($line->{text}))[$i];
    substr($line->{text}, $span->[1], $span->[2]) = $word;
    return $self->right($line);
}

# Removes word `i` and the space before it.
sub cut_word ($self, $line, $i) {
    my $span = (spans($line->{text}))[$i];
    my $from = $span->[1];
    $from-- while $from > 0 && substr($line->{text}, $from - 1, 1) =~ /\s/ && $i > 0;
    substr($line->{text}, $from, $span->[1] + $span->[2] - $from) = $i > 0 ? '' : ' ';
    return $self->right($line);
}

# Puts a word after word `i`.
sub add_word ($self, $line, $i, $word) {
    my $span = (spans($line->{text}))[$i];
    substr($line->{text}, $span->[1] + $span->[2], 0) = " $word";
    return $self->right($line);
}

sub add_to ($self, $line, $i, $n) { return $self->put($line, $i, $self->word($line, $i) + $n) }

# The indices of a line's words that look like a number with a point.
sub floats ($self, $line) {
    my @words = $self->words($line);
    return grep { $words[$_] =~ /^-?\d+\.\d+$/ } 0 .. $#words;
}

# ---- Lines -----------------------------------------------------------------------------------

sub right ($self, @lines) {
    push @{ $self->{right} }, grep { defined } @lines;
    return 1;
}

sub position ($self, $line) {
    my $lines = $self->{lines};
    for (0 .. $#$lines) { return $_ if $lines->[$_] == $line }
    die "the line is not there: $line->{text}\n";
}

# The nearest lines before and after that are not blank.
sub around ($self, $line) {
    my ($lines, $at) = ($self->{lines}, $self->position($line));
    my ($before, $after) = ($at - 1, $at + 1);
    $before-- while $before > 0 && $lines->[$before]{text} !~ /\S/;
    $after++ while $after < @$lines && $lines->[$after]{text} !~ /\S/;
    return ($before >= 0 ? $lines->[$before] : (), $after < @$lines ? $lines->[$after] : ());
}

# A finding may be where the line was: at either neighbour.
sub drop ($self, @drop) {
    $self->right(($self->around($drop[0]))[0], ($self->around($drop[-1]))[-1]);
    my %drop = map { $_ => 1 } @drop;
    $self->{lines} = [ grep { !$drop{$_} } @{ $self->{lines} } ];
    return 1;
}

sub insert ($self, $after, @texts) {
    my @new = map { { text => $_ } } @texts;
    splice @{ $self->{lines} }, $self->position($after) + 1, 0, @new;
    return $self->right(@new);
}

# Other lines in the place of a list's, where no finding is expected.
sub replace ($self, $list, @texts) {
    my %old = map { $_ => 1 } @{ $list->{lines} };
    my @lines = @{ $self->{lines} };
    my ($at) = grep { $old{ $lines[$_] } } 0 .. $#lines;
    @lines = grep { !$old{$_} } @lines;
    splice @lines, $at, 0, map { { text => $_ } } @texts;
    $self->{lines} = \@lines;
    return 1;
}

sub double ($self, @lines) { return $self->right(@lines) && $self->insert($lines[-1], map { $_->{text} } @lines) }

sub exchange ($self, $one, $other) {
    ($one->{text}, $other->{text}) = ($other->{text}, $one->{text});
    return $self->right($one, $other);
}

# The lines of a list: its count, its ends and the lines around it, and what begins and ends its block.
sub around_list ($self, $list) {
    my @lines = @{ $list->{lines} };
    my @ends = @lines ? ($lines[0], $lines[-1], ($self->around($lines[0]))[0], ($self->around($lines[-1]))[-1]) : ();
    return ($list->{count}, $list->{block}{open}, $list->{block}{close}, @ends);
}

sub last_line ($self) { return (grep { $_->{text} =~ /\S/ } @{ $self->{lines} })[-1] }

# Bytes that are not made of the lines, and the line numbers where a finding is expected.
sub raw ($self, $bytes, @numbers) {
    @$self{qw(raw numbers)} = ($bytes, \@numbers);
    return 1;
}

1;
