/* Small files that the fuzzed commands may name. */
#ifndef ALD_TESTS_COMMAND_FILES_H
#define ALD_TESTS_COMMAND_FILES_H

static const struct {
    const char *name, *text;
} command_files[] = {
    {"class.csv",
     "a,b,c,y\n1,2,0.5,u\n2,1,0.25,v\n3,5,1,u\n0.5,4,2,v\n2,2,3,u\n4,1,1,v\n1.5,3,2,u\n3,1,0,v\n"},
    {"real.csv",
     "a,b,c,y\n1,2,0.5,1.5\n2,1,0.25,2\n3,5,1,-1\n0.5,4,2,0\n2,2,3,3.5\n4,1,1,2.25\n1.5,3,2,1\n3,1,0,2\n"},
    {"labels.csv", "a,b,u,v\n1,2,0,1\n2,1,1,1\n3,5,0,0\n0.5,4,1,0\n2,2,1,1\n4,1,0,1\n1.5,3,1,0\n3,1,0,0\n"},
    {"mixed.csv", "a,b,c,y\n1,red,,u\n2,blue,1,v\n3,red,2,\n4,green,,u\n5,blue,4,v\n6,red,5,u\n"},
    {"dated.csv",
     "day;a;b;y\n2026-01-31;1,5;p;1\n2026-02-01;-999;q;2\n31.03.2026;2,5;;3\n2026-04-01;4;r;2\n"},
    {"turned.csv", "gene,s1,s2,s3,s4,s5\ng1,1,2,3,4,5\ng2,2,1,0.5,3,-1\ng3,0,1,1,0,2\nclass,u,v,u,v,u\n"},
    {"spectra.csv", "900,910,920,930,940,y\n1,2,3,2,1,1\n1,3,3,2,1,2\n2,2,4,3,1,1.5\n0,2,5,2,2,3\n1,1,3,3,1,"
                    "2\n2,4,3,2,0,1\n"},
    {"rows.svm", "1 1:2 3:1\n2 2:1\n1 1:3 2:1 3:2\n2 3:4\n1 1:1\n2 2:2 3:1\n"},
    {"y.csv", "y\n1\n2\n1\n2\n2\n1\n1\n2\n"},
    {"parts.csv", "part\ntrain\ntest\ntrain\ntrain\ntest\ntrain\ntrain\ntrain\n"},
    {"graph.csv", "1,2,1\n2,3,1\n3,4,0.5\n4,1,1\n5,6,1\n7,8,2\n2,5,1\n8,1,1\n"},
};
enum { n_command_files = sizeof command_files / sizeof *command_files };

#endif
