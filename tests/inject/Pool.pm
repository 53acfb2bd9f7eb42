# The clean files that defects are put into: cases of corpus/ without a flaw, real models if there are any, and small
# generated characters.
package Pool;
use v5.36;
use Digest::MD5 'md5';
use File::Find;
use File::Path 'make_path';
use List::Util 'uniq';
use Lint;

use constant LARGEST => 300_000;

# A reproducible random number for words such as seed, kind, path.
sub hash (@words) { return unpack 'N', md5(join "\0", @words) }

# A source of random integers below its argument, begun with such words.
sub source (@words) {
    my $n = 0;
    return sub ($below) { hash(@words, $n++) % $below };
}

# A path that is the same in every run and on every machine.
sub stable ($self, @paths) {
    return join ' ', map { my $path = $_; $path =~ s{^\Q$_\E/}{} for grep { defined } @$self{qw(work real)}; $path } @paths;
}

sub bytes_of ($path) {
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/;
    return <$in> // '';
}

sub write_bytes ($path, $bytes) {
    open my $out, '>:raw', $path or die "$path: $!\n";
    print $out $bytes;
    close $out or die "$path: $!\n";
}

sub find_files ($folder, $pattern) {
    my @found;
    return if !-d $folder;
    find({ no_chdir => 1, wanted => sub { push @found, $_ if /$pattern/ && -f && -s _ < LARGEST } }, $folder);
    return sort @found;
}

# Paths of clean files with an extension.
sub clean_paths ($self, $extension) {
    my @corpus = find_files('corpus', qr{/(?:[^/]*\.ok[^/]*|whole[^/]*)\.$extension$}n);
    my @paths = (@corpus, (map { find_files($_, qr/\.$extension$/) } grep { $_ } $self->{real}), grep { /\.$extension$/ } @{ $self->{made} });
    my $reported = Lint::files(@paths);
    my @clean = grep { Lint::is_clean($reported->{$_}) } @paths;
    $self->{intact}{$_} = $reported->{$_} for @clean;
    return @clean;
}

# Pairs [mesh, animation] that are clean together, given as the files of one folder or with one name.
sub clean_pairs ($self, @groups) {
    my @pairs;
    for my $group (@groups) {
        my $reported = Lint::files($group);
        for my $anim (grep { $_->{mesh} && Lint::is_clean($_) } values %$reported) {
            my $mesh = $reported->{ $anim->{mesh} };
            push @pairs, [ $mesh->{path}, $anim->{path} ] if Lint::is_clean($mesh);
        }
    }
    return sort { $a->[1] cmp $b->[1] } @pairs;
}

# Folders of the corpus and of real models are linted as a whole; two files of the corpus with one name by themselves.
sub md5_pairs ($self) {
    return @{ $self->{md5_pairs} //= [ $self->find_md5_pairs ] };
}

sub find_md5_pairs ($self) {
    my %groups;
    for my $path (find_files('corpus/cross', qr{/(?:[^/]*\.ok[^/]*|whole\.[^/]*)/[^/]*\.md5(?:mesh|anim)$}),
        (map { find_files($_, qr/\.md5(?:mesh|anim)$/) } grep { $_ } $self->{real})) {
        push @{ $groups{ $path =~ s{/[^/]*$}{}r } }, $path;
    }
    push @{ $groups{ $_ =~ s/\.md5(?:mesh|anim)$//r } }, $_
        for find_files('corpus/md5/whole', qr/\.md5(?:mesh|anim)$/), grep { /\.md5(?:mesh|anim)$/ } @{ $self->{made} };
    return $self->clean_pairs(map { $groups{$_} } grep { @{ $groups{$_} } > 1 } sort keys %groups);
}

# ---- Generated files -------------------------------------------------------------------------

# name => options of build/generate
my %characters = map { $_->[0] => $_->[1] } (
    [ bare  => [qw(--detail 0.05 --frames 9)] ],
    [ light => [qw(--detail 0.12 --frames 18 --digits stripped10)] ],
    [ dense => [qw(--detail 0.17 --frames 21)] ],
    [ heavy => [qw(--detail 0.25 --frames 26)] ],
    [ tiny  => [qw(--detail 0.04 --frames 8)] ],
    [ small => [qw(--detail 0.06 --frames 12 --digits stripped10)] ],
    [ slim  => [qw(--detail 0.08 --frames 15)] ],
    [ plain => [qw(--detail 0.1 --frames 24 --digits stripped10)] ],
    [ fine  => [qw(--detail 0.14 --frames 30)] ],
    [ large => [qw(--detail 0.2 --frames 40)] ],
);

use constant CAMERAS => 24;

sub generate ($self, $folder) {
    make_path($folder);
    run('tests/generate/cameras', $folder, CAMERAS);
    push @{ $self->{made} }, find_files($folder, qr/\.md5camera$/);
    for my $name (sort keys %characters) {
        my @pair = map { "$folder/$name.$_" } qw(md5mesh md5anim);
        run("$self->{B}/generate", @pair, @{ $characters{$name} });
        push @{ $self->{made} }, @pair;
    }
}

# Clean files with these extensions, also those that build/convert makes of clean pairs. It refuses some pairs.
sub converted ($self, @extensions) {
    return @{ $self->{converted}{"@extensions"} //= [ $self->find_converted(@extensions) ] };
}

sub find_converted ($self, @extensions) {
    for my $pair ($self->some_md5_pairs) {
        my $stem = "$self->{work}/made/" . hash($self->stable(@$pair));
        push @{ $self->{made} }, grep { $self->convert($pair, $_) } map { "$stem.$_" } @extensions;
    }
    return map { $self->clean_paths($_) } @extensions;
}

sub convert ($self, $pair, $to) {
    return system("$self->{B}/convert @$pair $to 2>/dev/null") == 0 && -s $to < LARGEST;
}

# Up to three pairs for each large mesh, and one for some of the small ones, which are most of the corpus.
use constant { LARGE => 3000, SMALL_PAIRS => 16 };
sub some_md5_pairs ($self) {
    my %by_mesh;
    push @{ $by_mesh{ $_->[0] } }, $_ for $self->md5_pairs;
    my @large = map { spread(3, @{ $by_mesh{$_} }) } grep { LARGE <= -s } sort keys %by_mesh;
    return @large, spread(SMALL_PAIRS, map { $by_mesh{$_}[0] } grep { LARGE > -s } sort keys %by_mesh);
}

sub md5_groups ($self) {
    return $self->keep_intact($self->some_md5_pairs);
}

# Meshes, skeletons and animations of one name that are clean together.
sub ill_groups ($self) {
    my @extensions = qw(illmesh illskel illanim);
    $self->converted(@extensions);
    my @stems = map { s/\.illskel$//r } grep { /\.illskel$/ } @{ $self->{made} }, map { find_files($_, qr/\.illskel$/) } grep { $_ } $self->{real};
    my @groups = grep { my $group = $_; !grep { !-f } @$group } map { my $stem = $_; [ map { "$stem.$_" } @extensions ] } sort { $a cmp $b } uniq @stems;
    return $self->keep_intact(@groups);
}

# Those groups that are clean; what is reported of them is kept.
sub keep_intact ($self, @groups) {
    my @clean;
    for my $group (@groups) {
        my $reported = Lint::files($group);
        next if grep { !Lint::is_clean($reported->{$_}) } @$group;
        $self->{intact}{$_} = $reported->{$_} for @$group;
        push @clean, $group;
    }
    return @clean;
}

# At most `n` of a list, evenly spread.
sub spread ($n, @list) {
    return @list if @list <= $n;
    return map { $list[ $_ * @list / $n ] } 0 .. $n - 1;
}

sub run (@command) { system(@command) == 0 or die "failed: @command\n" }

sub new ($class, %options) {
    my $self = bless { made => [], intact => {}, %options }, $class;
    $self->generate("$self->{work}/made");
    return $self;
}

1;
