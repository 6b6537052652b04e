# Written by tools/python-classes: change it there, and run 'make docs'.
from alidade.methods.pca import PCA as PCA
from alidade.methods.pls import PLS as PLS
from alidade.methods.lda import LDA as LDA
from alidade.methods.cca import CCA as CCA
from alidade.methods.opls import OPLS as OPLS
from alidade.methods.rrr import RRR as RRR
from alidade.methods.hsl import HSL as HSL
from alidade.methods.sir import SIR as SIR
from alidade.methods.spca import SPCA as SPCA
from alidade.methods.plssb import PLSSB as PLSSB
from alidade.methods.bair import Bair as Bair
from alidade.methods.cfml import CFML as CFML
from alidade.methods.save import SAVE as SAVE
from alidade.methods.phd import PHD as PHD
from alidade.methods.contour import Contour as Contour
from alidade.methods.sdpp import SDPP as SDPP
from alidade.methods.kpca import KPCA as KPCA
from alidade.methods.kspca import KSPCA as KSPCA
from alidade.methods.kpls import KPLS as KPLS
from alidade.methods.kplssb import KPLSSB as KPLSSB
from alidade.methods.kcca import KCCA as KCCA
from alidade.methods.kfda import KFDA as KFDA
from alidade.methods.kdr import KDR as KDR
from alidade.methods.gkdr import GKDR as GKDR
from alidade.methods.rsir import RSIR as RSIR
from alidade.methods.lsir import LSIR as LSIR
from alidade.methods.mkdr import MKDR as MKDR
from alidade.methods.cmvu import CMVU as CMVU
from alidade.methods.ksdpp import KSDPP as KSDPP
from alidade._core import AlidadeWarning as AlidadeWarning
from alidade._functions_stub import *

__version__: str
