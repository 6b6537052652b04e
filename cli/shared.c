#include "cli.h"

static const char *const formats[] = {"csv", "tsv", "xlsx", "npy", "svmlight", "mtx", "arff", "mat", NULL};
static const char *const tasks[] = {"auto", "regression", "classification", "multilabel", NULL};
static const char *const encodings[] = {"onehot", "ordinal", NULL};
static const char *const missing[] = {"error", "drop", "mean", "nipals", NULL};
static const char *const unlabelled[] = {"error", "drop", NULL};
static const char *const decimals[] = {"point", "comma", NULL};
static const char *const dates[] = {"ignore", "numbers", "categories", NULL};
static const char *const unseen[] = {"mean", "error", NULL};
static const char *const headers[] = {"auto", "yes", "no", NULL};

#define READING .group = CLI_GROUP_READING
#define GENERAL .group = CLI_GROUP_GENERAL

const cli_option cli_shared_options[] = {
    {"target", READING, .type = CLI_TEXT, .value_name = "COLS", .verbs = CLI_FRESH,
     .help =
         "target columns: names, #3 (or plain 3) for the third, ranges A..B, several separated by commas"},
    {"target-file", READING, .type = CLI_PATH, .access = CLI_READS, .value_name = "FILE",
     .verbs = CLI_FRESH | CLI_EVALUATE | CLI_PLOT | CLI_REPORT | CLI_UPDATE | CLI_CALIBRATE,
     .help = "a second file with the target, one row per row of DATA; for npy, mtx and csv"},
    {"graph-file", READING, .type = CLI_PATH, .access = CLI_READS, .value_name = "FILE", .verbs = CLI_FIT,
     .help = "the neighbours, for methods that work on a graph: an n x n matrix of weights (mtx, npy, csv), "
             "or a csv of three columns: row, neighbour, weight"},
    {"target-distances", READING, .type = CLI_PATH, .access = CLI_READS, .value_name = "FILE",
     .verbs = CLI_FIT,
     .help = "distances between the targets of rows instead of a target, for methods that need nothing else "
             "(sdpp): an n x n matrix, or a list of pairs as above"},
    {"response-kernel-file", READING, .type = CLI_PATH, .access = CLI_READS, .value_name = "FILE",
     .verbs = CLI_FIT,
     .help =
         "a kernel of your own, how alike the targets of the rows are, for --response-kernel given: an n x n "
         "matrix, symmetric and positive semidefinite; a target is then needed for predictions only"},
    {"start-file", READING, .type = CLI_PATH, .access = CLI_READS, .value_name = "FILE", .verbs = CLI_FIT,
     .help =
         "directions to start from, for methods that improve them step by step (nca, mlkr): a row for each "
         "component, with a number for each column of X after --scale (mtx, npy, csv)"},
    {"task", READING, .type = CLI_CHOICE, .value_name = "TASK", .verbs = CLI_FRESH, .choices = tasks,
     .help = "the kind of target; auto (the default) treats text and few whole numbers as classes, several "
             "0/1 columns as labels, the rest as numbers, and says so"},
    {"event", READING, .type = CLI_TEXT, .value_name = "COL", .verbs = CLI_FRESH,
     .help =
         "the target is a time, and this column says whether the event came then (1) or had not come until "
         "then (0, censored)"},
    {"weights", READING, .type = CLI_TEXT, .value_name = "COL", .verbs = CLI_FRESH,
     .help =
         "column with the weight of each row: a row of weight 2 counts as two rows, one of weight 0 as none"},
    {"ignore", READING, .type = CLI_TEXT, .value_name = "COLS", .verbs = CLI_FRESH,
     .help = "columns to leave out"},
    {"id", READING, .type = CLI_TEXT, .value_name = "COLS", .verbs = CLI_FRESH,
     .help = "columns that name the rows: not features, and never read as numbers; the model remembers them, "
             "and transform and predict write them beside their results"},
    {"keep", READING, .type = CLI_TEXT, .value_name = "COLS", .verbs = CLI_TRANSFORM | CLI_PREDICT,
     .help = "columns of DATA to copy in front of the results, unchanged; those that name the rows are "
             "always written"},
    {"parts", READING, .type = CLI_FLAG, .verbs = CLI_TRANSFORM | CLI_PREDICT,
     .help = "on several ranks (mpirun): each rank writes the results of its rows to its own file, "
             "out-1-of-4.csv for -o out.csv, instead of one file for all"},
    {"categorical", READING, .type = CLI_TEXT, .value_name = "COLS", .verbs = CLI_FRESH,
     .help = "columns to treat as categories although their cells are numbers"},
    {"encode", READING, .type = CLI_CHOICE, .value_name = "HOW", .verbs = CLI_FRESH, .choices = encodings,
     .help = "categories become one 0/1 column each (onehot, the default) or are numbered (ordinal)"},
    {"missing", READING, .type = CLI_CHOICE, .value_name = "HOW", .verbs = CLI_FRESH | CLI_LIKE,
     .choices = missing,
     .help = "missing cells: an error that names the first (the default), drop the row, the column's mean, "
             "or nipals: pca and pls use the cells that are present (fit, compare and tune)"},
    {"unseen", READING, .type = CLI_CHOICE, .value_name = "HOW", .verbs = CLI_LIKE & ~CLI_UPDATE,
     .choices = unseen,
     .help = "a category that did not occur in the rows of the model: set the variable to its mean, with a "
             "warning that counts such rows (mean, the default), or an error"},
    {"unlabelled-rows", READING, .type = CLI_CHOICE, .value_name = "HOW",
     .verbs = CLI_FRESH | CLI_EVALUATE | CLI_REPORT | CLI_UPDATE | CLI_CALIBRATE, .choices = unlabelled,
     .help = "rows without a target: an error unless the method can use them (the default; searches and "
             "comparisons leave them out, with a warning), or drop them"},
    {"unlabelled", READING, .type = CLI_PATH, .access = CLI_READS, .value_name = "FILE",
     .verbs = CLI_FIT | CLI_COMPARE | CLI_TUNE, .methods = ALD_CAN_UNLABELLED,
     .help = "a second file of rows without a target, with the same columns; a target in it is ignored. For "
             "the methods that can use such rows"},
    {"format", READING, .type = CLI_CHOICE, .value_name = "FORMAT", .verbs = CLI_READ, .choices = formats,
     .help = "format of DATA; by default the ending of its name decides, and standard input is csv"},
    {"delimiter", READING, .type = CLI_TEXT, .value_name = "CHAR", .verbs = CLI_READ,
     .help = "csv: the character between cells, or tab; detected by default"},
    {"header", READING, .type = CLI_CHOICE, .value_name = "HOW", .verbs = CLI_READ, .choices = headers,
     .help = "csv: whether the first line contains the column names; detected by default"},
    {"comment", READING, .type = CLI_TEXT, .value_name = "CHAR", .verbs = CLI_READ,
     .help = "csv: skip lines that begin with this character; by default none is skipped"},
    {"skip", READING, .type = CLI_INT, .value_name = "N", .verbs = CLI_READ, .min = 0, .max = 1e9,
     .help = "csv: skip the first N lines, before the table"},
    {"max-columns", READING, .type = CLI_INT, .value_name = "N", .verbs = CLI_READ, .min = 1, .max = 1e18,
     .help = "svmlight, mtx: the most columns that a file may claim; by default a million, or 1024 for each "
             "entry that it has"},
    {"max-line", READING, .type = CLI_INT, .value_name = "BYTES", .verbs = CLI_READ, .min = 1, .max = 1e18,
     .help = "text: the most bytes of a line; by default 67108864 (64 MiB)"},
    {"decimal", READING, .type = CLI_CHOICE, .value_name = "MARK", .verbs = CLI_READ, .choices = decimals,
     .help = "csv: the decimal mark, point or comma; by default a comma if cells are separated by something "
             "else and numbers contain one"},
    {"thousands", READING, .type = CLI_TEXT, .value_name = "MARK", .verbs = CLI_READ,
     .help = "csv: the thousands separator: comma, point, apostrophe or blank, or the mark itself"},
    {"na", READING, .type = CLI_TEXT, .value_name = "TEXTS", .verbs = CLI_READ,
     .help =
         "csv: texts that mark a missing value, separated by commas; by default NA, N/A, NaN, null, ? and, "
         "unless they are one of two levels, - and . alone; write --na=-999,none if a dash comes first"},
    {"dates", READING, .type = CLI_CHOICE, .value_name = "HOW", .verbs = CLI_FRESH, .choices = dates,
     .help = "date columns such as 2026-01-31: leave them out (ignore, the default), convert them to numbers "
             "of days (numbers) or treat them as categories"},
    {"transpose", READING, .type = CLI_FLAG, .verbs = CLI_READ,
     .help = "DATA has one column per sample: its first line names the samples, its first column the "
             "features (such as tables with genes in rows)"},
    {"sheet", READING, .type = CLI_TEXT, .value_name = "SHEET", .verbs = CLI_READ,
     .help = "xlsx: the sheet to read, by its name or its number; by default the first that is not hidden"},
    {"x", READING, .type = CLI_TEXT, .value_name = "VAR", .verbs = CLI_READ,
     .help = "mat: the variable that holds the rows"},
    {"y", READING, .type = CLI_TEXT, .value_name = "VAR", .verbs = CLI_READ,
     .help = "mat: the variable that holds the target"},
    {"components", .group = CLI_GROUP_OWN, .type = CLI_INT, .value_name = "K", .verbs = CLI_FIRST, .min = 1,
     .max = 1e9, .alias = "dims",
     .help = "use only the first K components, with the predictor that belongs to them; for methods whose "
             "components are found one after the other (nested in alidade methods NAME); --dims is the same"},
    {"keep-statistics", .group = CLI_GROUP_OWN, .type = CLI_FLAG, .verbs = CLI_FIT | CLI_TUNE,
     .parameter = "keep_statistics",
     .help = "keep in the model what alidade update needs to add or remove rows"},
    {"config", GENERAL, .type = CLI_PATH, .access = CLI_READS, .value_name = "FILE",
     .verbs = CLI_DATA | CLI_MERGE,
     .help = "read more options from lines `name = value`, with the names of the long options here; # begins "
             "a comment line; options on the command line take precedence"},
    {"threads", GENERAL, .type = CLI_INT, .value_name = "N", .min = 0, .max = 4096,
     .verbs = CLI_DATA | CLI_MERGE,
     .help =
         "threads to use; 0, the default: OMP_NUM_THREADS, or one per processor that the process may use"},
    {"device", GENERAL, .type = CLI_TEXT, .value_name = "NAME", .verbs = CLI_FRESH,
     .help = "where fits compute: cpu, the default; cuda, or cuda:N with the number of a card; auto: a card "
             "where there is one and the fit is large enough to gain from it"},
    {"max-memory", GENERAL, .type = CLI_TEXT, .value_name = "SIZE",
     .verbs = CLI_DATA | CLI_INSPECT | CLI_MERGE | CLI_EXPORT,
     .help = "limit on memory, such as 500M or 8G; anything that needs more is refused. By default what the "
             "machine or container has"},
    {"strict", GENERAL, .type = CLI_FLAG, .verbs = CLI_FIT | CLI_TUNE | CLI_DIMENSION | CLI_LIKE | CLI_MERGE,
     .help = "exit with status 3 when the result comes with a warning, such as an iteration that has not "
             "converged"},
    {"json", GENERAL, .type = CLI_FLAG_FILE, .access = CLI_WRITES, .value_name = "FILE",
     .verbs = CLI_FRESH | CLI_PREDICT | CLI_EVALUATE | CLI_METHODS | CLI_INSPECT,
     .help = "the result as JSON, on standard output or in a file"},
    {"quiet", GENERAL, .letter = 'q', .type = CLI_FLAG,
     .verbs = CLI_DATA | CLI_METHODS | CLI_INSPECT | CLI_MERGE | CLI_EXPORT,
     .help = "print nothing but errors"},
    {"verbose", GENERAL, .letter = 'v', .type = CLI_FLAG, .verbs = CLI_DATA | CLI_VERSION | CLI_MERGE,
     .help = "print more: what was read and how, and what a fit chose; given twice: still more. -q, -v and "
             "--threads may also precede the verb"},
    {"help", GENERAL, .letter = 'h', .type = CLI_FLAG, .verbs = CLI_EVERY, .help = "show this help"},
    {0},
};
