/* def: declarations of Doom 3, of which the model and entityDef declarations say which meshes and
 * animations belong together. All others are passed over. There is no format text; the facts come
 * from Doom 3's released source: idLexer, idDeclFile::LoadAndParse (framework/DeclManager.cpp),
 * idDeclModelDef::Parse and ParseAnim, idAnim::AddFrameCommand (game/anim/Anim_Blend.cpp) and
 * idDeclEntityDef::Parse. */
#ifndef M5_DEF_H
#define M5_DEF_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"
#include "../core/writer.h"

M5_BEGIN_C

/* A line of a model declaration that has nothing but a name. */
typedef enum m5_def_line_kind {
    M5_DEF_INHERIT, /* another model declaration */
    M5_DEF_SKIN,
    M5_DEF_MESH,  /* the path of an md5mesh */
    M5_DEF_REMOVE /* an inherited animation */
} m5_def_line_kind;

typedef struct m5_def_line {
    m5_def_line_kind kind;
    m5_name name; /* a span of the source, like all names here */
} m5_def_line;

/* offset ( x y z ) */
typedef struct m5_def_offset {
    uint32_t offset; /* of the keyword */
    float value[3];
} m5_def_offset;

/* channel NAME ( joints ). */
typedef struct m5_def_channel {
    m5_name name;
    uint32_t first_joint, num_joints; /* in m5_def.joints */
} m5_def_channel;

/* An entry of a channel's list: see m5_def_joint_at. */
typedef struct m5_def_joint {
    m5_span at;    /* all of it, with its signs */
    m5_name name;  /* may be empty */
    bool removes;  /* -name: takes the joint out of the list */
    bool children; /* *name: the joint and all below it */
} m5_def_joint;

/* Bits of m5_def_anim.flags, each named as its word in the file. */
enum {
    M5_DEF_PREVENT_IDLE_OVERRIDE = 1,
    M5_DEF_RANDOM_CYCLE_START = 2,
    M5_DEF_AI_NO_TURN = 4,
    M5_DEF_ANIM_TURN = 8
};

enum { M5_DEF_SYNCED = 3 }; /* the most files of an animation (ANIM_MaxSyncedAnims) */

/* anim NAME FILE [, FILE [, FILE]] [{ flags and frame commands }]. Its frame commands end where
 * those of the next one begin; m5_def has one more animation for the last one. */
typedef struct m5_def_anim {
    m5_name name;
    uint32_t first_file;    /* in m5_def.files */
    uint32_t first_command; /* in m5_def.commands */
    uint16_t num_files;     /* at most M5_DEF_SYNCED */
    uint16_t flags;
} m5_def_anim;

/* frame NUMBER COMMAND ARGUMENTS */
typedef struct m5_def_command {
    int32_t frame;    /* from 1; 0 if the number could not be read */
    m5_span frame_at; /* the number */
    m5_name name;
    m5_span arguments; /* from the first to the last on the line; length 0 if there are none */
} m5_def_command;

/* model NAME { ... }. Its parts are from its own `first_` to that of the next model, and m5_def
 * has one more model for the last one. */
typedef struct m5_def_model {
    m5_name name;
    uint32_t end; /* the offset of its closing brace, or of the end of the file */
    uint32_t first_line, first_offset, first_channel, first_anim;
} m5_def_model;

/* What the value of an entityDef's key names. */
typedef enum m5_def_key_kind {
    M5_DEF_KEY_INHERIT, /* another entityDef: idDeclEntityDef::Parse, any key with this prefix */
    M5_DEF_KEY_MODEL,   /* a model declaration or file: idGameLocal::CacheDictionaryMedia */
    M5_DEF_KEY_ANIM,    /* an animation of the entity's model */
    M5_DEF_KEY_JOINT,   /* a joint of the entity's model */
    M5_DEF_KEY_LIMBS,   /* how many legs or arms have such joints: idIK_Walk::Init */
    M5_DEF_KEY_OPEN     /* a model declaration, an entityDef or anything else */
} m5_def_key_kind;

typedef struct m5_def_key {
    m5_def_key_kind kind;
    m5_name key, value;
} m5_def_key;

/* entityDef NAME { "key" "value" ... }, with the keys of m5_def_key_kind only. Its keys end where
 * those of the next entity begin; m5_def has one more entity for the last one. */
typedef struct m5_def_entity {
    m5_name name;
    uint32_t first_key;
} m5_def_entity;

/* Clean: every part is complete. Flawed: the arrays hold what could be read; every range in them is
 * valid, and names may be empty where they are missing. */
typedef struct m5_def {
    const m5_source *source;
    uint32_t num_models, num_lines, num_offsets, num_channels, num_joints, num_anims, num_files,
        num_commands, num_entities, num_keys;
    m5_def_model *models;
    m5_def_line *lines;
    m5_def_offset *offsets;
    m5_def_channel *channels;
    uint32_t *joints; /* where each begins; see m5_def_joint_at */
    m5_def_anim *anims;
    m5_name *files;
    m5_def_command *commands;
    m5_def_entity *entities;
    m5_def_key *keys;
} m5_def;

/* Reads the i-th joint of all channels. */
m5_def_joint m5_def_joint_at(const m5_def *def, uint32_t i);

/* Parses report->source. The model is in the arena and points into it and into the source; *out is
 * NULL only after M5_NO_MEMORY. Memory, threads and errors: see m5.h. */
m5_status m5_def_parse(m5_report *report, m5_arena *arena, const m5_def **out);

/* Writes a clean model: see m5_print. */
void m5_def_print(const m5_def *model, const m5_writer *out);

M5_END_C

#endif
