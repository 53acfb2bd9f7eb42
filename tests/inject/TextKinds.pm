# Kinds of defects that any text file can have: bytes that do not belong there, files cut or written twice, and
# damaged numbers. A model that is given has `data` (the lines with numbers) and `blocks` (open, close, counts).
package TextKinds;
use v5.36;

sub kinds () {
    return (
        [ 'byte order mark' => sub ($m) { $m->raw("\xef\xbb\xbf" . $m->bytes, 1) && 'at the start' } ],
        [ 'UTF-16' => sub ($m) { $m->raw("\xff\xfe" . join('', map { "$_\0" } split //, $m->bytes), 1) && 'the whole file' } ],
        [ 'NUL inside' => \&nul_inside ],
        [ 'NUL at the end' => sub ($m) { $m->raw($m->bytes . "\0", scalar @{ $m->{lines} }, 1 + @{ $m->{lines} }) && 'at the end' } ],
        [ 'zeros for the second half' => \&zeros ],
        [ 'control character in a number' => number(sub ($m, $word) { substr($word, 1, 0) = "\x05"; $word }) ],
        [ 'file twice' => \&twice ],
        [ 'cut at a byte' => \&cut_at_byte ],
        [ 'cut at the end of a line' => \&cut_at_line ],
        [ 'decimal comma' => number(sub ($m, $word) { $word =~ tr/./,/r }) ],
        [ 'nan or infinity' => number(sub ($m, $word) { $m->pick('nan', '-nan', 'NaN', '-1.#IND', 'inf', '-inf', '1.#INF', '1e999') }) ],
        [ 'letter in a number' => number(sub ($m, $word) { substr($word, -1, 1) = $m->pick(qw(o l O x)); $word }) ],
        [ 'two points in a number' => number(sub ($m, $word) { $word =~ s/\./../r }) ],
        [ 'two signs, or an exponent without digits' => number(sub ($m, $word) { $m->pick('--' . $word =~ s/^-//r, $word . 'e') }) ],
    );
}

# Kinds of md5mesh and md5anim. `keys` are the lines that begin with a keyword, `names` those with a name in quotes.
sub md5_kinds ($keys, $names) {
    return (
        [ 'keyword in another case' => sub ($m) {
            my $line = $m->pick($keys->($m)) or return;
            my $word = $m->word($line, 0);
            return $m->put($line, 0, $m->pick(grep { $_ ne $word } ucfirst $word, lc $word, uc $word)) && $m->named($line);
        } ],
        [ 'both quotes of a name removed' => sub ($m) {
            my $line = $m->pick(grep { $_->{text} =~ /^[^"]*"[^\s"]+"/ } $names->($m)) or return;
            $line->{text} =~ s/"([^"]*)"/$1/;
            return $m->right($line) && $m->named($line);
        } ],
    );
}

# A kind that replaces a number with a point in one of the data lines.
sub number ($change) {
    return sub ($m) {
        my $line = $m->pick(@{ $m->{data} }) or return;
        my $i = $m->pick($m->floats($line)) // return;
        my $word = $m->word($line, $i);
        $m->put($line, $i, $change->($m, $word));
        return "$word became " . $m->word($line, $i);
    };
}

sub nul_inside ($m) {
    my $line = $m->pick(grep { $_->{text} =~ /^\s*[^\s"\/].*\d\s*$/ } @{ $m->{data} }) or return;
    my @digits;
    push @digits, pos($line->{text}) - 1 while $line->{text} =~ /\d/g;
    my $at = $m->pick(@digits);
    substr($line->{text}, $at, 1) = "\0";
    $m->right($line);
    return "digit at column " . ($at + 1) . " became NUL";
}

sub zeros ($m) {
    my $half = int(length($m->bytes) / 2);
    my $kept = substr $m->bytes, 0, $half;
    return if substr($m->bytes, $half) !~ /\S.*\n.*\S/s;
    my $line = 1 + ($kept =~ tr/\n//);
    return $m->raw($kept . "\0" x (length($m->bytes) - $half), $line, enclosing($m, $line)) && "from byte $half";
}

sub twice ($m) {
    my $lines = @{ $m->{lines} };
    my $last = 1 + $m->position($m->last_line);
    return $m->raw($m->bytes x 2, $last .. $lines + 4) && 'the whole file';
}

sub cut_at_byte ($m) {
    my $length = length $m->bytes;
    my $at = int($length / 10) + $m->random(int($length * 0.9));
    return cut($m, $at);
}

sub cut_at_line ($m) {
    my $bytes = $m->bytes;
    my $at = index($bytes, "\n", int(length($bytes) / 10) + $m->random(int(length($bytes) * 0.8)));
    return $at < 0 ? undef : cut($m, $at + 1);
}

# A cut that takes only comments, white space or the rest of a number away is no defect.
sub cut ($m, $at) {
    my ($kept, $gone) = (substr($m->bytes, 0, $at), substr($m->bytes, $at));
    $gone =~ s/^[^\n]*// if $kept =~ m{//[^\n]*\z};
    return if $gone =~ s{//[^\n]*}{}gr !~ /\s\S|\}/;
    my $line = 1 + ($kept =~ tr/\n//);
    my $text = ($kept =~ s/\s+\z//r =~ tr/\n//) + 1;
    return $m->raw($kept, $text, $line, enclosing($m, $line)) && "$at of " . length($m->bytes) . " bytes are left";
}

# The line numbers of what begins the block around a line, and of the counts that a cut there makes wrong.
sub enclosing ($m, $number) {
    my %marked;
    for my $block (@{ $m->{blocks} }) {
        my @ends = map { 1 + $m->position($_) } @$block{qw(open close)};
        next if $number < $ends[0] || $number > $ends[1];
        $marked{$_} = 1 for $block->{open}, @{ $block->{counts} };
    }
    $marked{$_} = 1 for @{ $m->{counts} };
    my $n = 0;
    return grep { $_ <= $number } map { $n++; $marked{$_} ? $n : () } @{ $m->{lines} };
}

1;
