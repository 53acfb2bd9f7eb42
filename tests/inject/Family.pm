# Families of kinds: each has files or pairs of files as its pool, and puts each of its kinds into many of them.
package Family;
use v5.36;
use File::Copy 'copy';
use File::Path 'make_path';
use Lint;
use Def;
use Fix;
use Ill;
use Illset;
use Md4;
use Md5anim;
use Md5camera;
use Md5mesh;
use Md5pair;
use Pool;
use Targets;

use constant PLACES_A_FILE => 3;

# name, the class that reads a file, its kinds, and where its files are from
sub all () {
    return (
        { name => 'md5mesh', class => 'Md5mesh', kinds => [ Md5mesh::kinds() ], paths => sub ($pool) { $pool->clean_paths('md5mesh') } },
        { name => 'md5anim', class => 'Md5anim', kinds => [ Md5anim::kinds() ], paths => sub ($pool) { $pool->clean_paths('md5anim') } },
        { name => 'md5camera', class => 'Md5camera', kinds => [ Md5camera::kinds() ], paths => sub ($pool) { $pool->clean_paths('md5camera') } },
        { name => 'md5pair', class => 'Md5pair', kinds => [ Md5pair::kinds() ], paths => sub ($pool) { $pool->md5_groups } },
        { name => 'md4', class => 'Md4', kinds => [ Md4::kinds() ], paths => sub ($pool) { $pool->converted('md4') } },
        { name => 'ill', class => 'Ill', kinds => [ Ill::kinds() ], paths => sub ($pool) { $pool->converted(qw(illmesh illskel illanim)) } },
        { name => 'def', class => 'Def', kinds => [ Def::kinds() ], paths => sub ($pool) { $pool->clean_paths('def') } },
        { name => 'illset', class => 'Illset', kinds => [ Illset::kinds() ], paths => sub ($pool) { $pool->ill_groups } },
    );
}

# Returns a row for each kind.
sub run ($family, $pool, %run) {
    my @kinds = grep { "$family->{name}: $_->[0]" =~ $run{kinds} } @{ $family->{kinds} } or return;
    my @models = models($family, $pool);
    my $folder = "$run{work}/$family->{name}";
    make_path($folder);
    my @copies = map { inject($family, $_, \@models, $folder, %run) } @kinds;
    my $reported = Lint::files(map { $_->{group} } sort { $a->{group}[0] =~ s/.*\.//r cmp $b->{group}[0] =~ s/.*\.//r } @copies);
    Fix::copies($folder, $reported, @copies);
    Targets::copies($run{decided}, $reported, @copies);
    return map { my $kind = $_->[0]; row($family, $kind, $reported, $run{keep}, grep { $_->{kind} eq $kind } @copies) } @kinds;
}

# The files of the pool that the family's class can read.
sub models ($family, $pool) {
    my @models;
    for my $path ($family->{paths}->($pool)) {
        my $model = $family->{class}->parse(map { Pool::bytes_of($_) } ref $path ? @$path : $path) or next;
        my @paths = ref $path ? @$path : $path;
        push @models, { name => $pool->stable(@paths), paths => \@paths, model => $model, intact => [ map { $pool->{intact}{$_} } @paths ] };
    }
    return @models;
}

# Files in the order in which a kind tries them: by chance, alternating between rich and other ones. A kind for rich
# files does not try the cases of corpus/ that are made to be just inside of a rule's limits, such as a blink.
sub order ($kind, $models, $seed) {
    my @all = sort { $a->[0] <=> $b->[0] } map { [ Pool::hash($seed, $kind->[0], $_->{name}), $_ ] } @$models;
    my @rich = map { $_->[1] } grep { $_->[1]{model}{rich} } @all;
    return grep { $_->{name} !~ m{/[^/]+\.ok[./]} } @rich if ($kind->[2] // '') eq 'rich';
    my @other = map { $_->[1] } grep { !$_->[1]{model}{rich} } @all;
    my @order;
    while (@rich || @other) { push @order, grep { defined } shift @rich, shift @other }
    return @order;
}

# Copies with a kind of defect, a few for each file until there are enough.
sub inject ($family, $kind, $models, $folder, %run) {
    my @copies;
    for my $model (order($kind, $models, $run{seed})) {
        my %seen;
        my $most = $run{places} < 30 ? 1 : PLACES_A_FILE;
        for my $try (1 .. 4 * $most) {
            my $copy = inject_once($family, $kind, $model, Pool::source($run{seed}, $kind->[0], $model->{name}, $try)) or next;
            next if $seen{ join "\0", @{ $copy->{bytes} } }++;
            write_copy($copy, $folder . '/' . Pool::hash($family->{name}, $kind->[0]) . '-' . @copies);
            push @copies, $copy;
            return @copies if @copies >= $run{places};
            last if keys %seen >= $most;
        }
    }
    return @copies;
}

# A copy, or nothing if the file has no place for this kind or nothing changed.
sub inject_once ($family, $kind, $model, $random) {
    my $m = $model->{model}->begin($random);
    my $what = $kind->[1]->($m) or return;
    my @bytes = $m->bytes;
    return if join("\0", @bytes) eq $m->intact;
    return {
        class => $family->{class}, kind => $kind->[0], what => $what, model => $model, bytes => \@bytes,
        right => $m->is_right, wanted => $m->{wanted} // 1, places => $m->places,
    };
}

# The files of a copy are alone in their folder, so that md5lint compares them with each other only.
sub write_copy ($copy, $folder) {
    make_path($folder);
    $copy->{group} = [ map { my ($extension) = /\.(\w+)$/; "$folder/x.$extension" } @{ $copy->{model}{paths} } ];
    Pool::write_bytes($copy->{group}[$_], $copy->{bytes}[$_]) for 0 .. $#{ $copy->{group} };
    delete $copy->{bytes};
}

sub row ($family, $kind, $reported, $keep, @copies) {
    my %row = (family => $family->{name}, kind => "$family->{name}: $kind", count => scalar @copies);
    my %files;
    for my $copy (@copies) {
        $files{ $copy->{model}{name} } = 1;
        my $outcome = Lint::judge($copy->{wanted}, $copy->{right}, $copy->{model}{intact}, map { $reported->{$_} } @{ $copy->{group} });
        $row{$outcome}++;
        keep($keep, $row{kind}, $outcome, $copy) if $keep && $outcome ne 'one';
        Targets::count($copy, \%row);
        my $fixed = Fix::count($copy, \%row);
        keep($keep, $row{kind}, "fix-$fixed", $copy) if $keep && $fixed =~ /^(?:lost|flawed|wrong)$/;
    }
    $row{files} = keys %files;
    return \%row;
}

# KEEP/<kind>/<outcome>-<n>: the files, those that were fixed, and `changed` with what was done to which file and where a finding was expected.
sub keep ($keep, $kind, $outcome, $copy) {
    my $folder = "$keep/" . ($kind =~ tr/A-Za-z0-9=-/_/csr) . "/$outcome-" . ($copy->{group}[0] =~ m{-(\d+)/[^/]*$})[0];
    make_path($folder);
    copy($_, $folder) for @{ $copy->{group} };
    copy($_, "$folder/" . s{.*/}{}r . '.fixed') for @{ $copy->{group_all} // [] };
    Pool::write_bytes("$folder/changed", "$copy->{model}{name}\n$copy->{what}\nexpected at $copy->{places}\n");
}

1;
